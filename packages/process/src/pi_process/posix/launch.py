"""Starting a program on POSIX, and telling why the system would not."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import errno
import os
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from pi_process.errors import (
    BadWorkingDirectory,
    CommandLineTooLong,
    InvalidArgument,
    LaunchError,
    ProgramNotExecutable,
    ProgramNotFound,
)
from pi_process.spawn import Spawn, Stdin, Stream


@dataclass(frozen=True, slots=True)
class Launched:
    """A started program and our ends of its pipes; `stdin` is None when the child has none from us."""

    popen: subprocess.Popen[bytes]
    stdin: int | None
    outputs: Mapping[Stream, int]


def launch(spawn: Spawn) -> Launched:
    """Start `spawn`. Raises a `LaunchError`, leaving no descriptor open."""
    ours: list[int] = []
    theirs: list[int] = []
    try:
        stdin, outputs = _open_pipes(spawn, ours, theirs)
        popen = subprocess.Popen(
            spawn.argv,
            cwd=spawn.cwd,
            env=spawn.env,
            stdin=subprocess.DEVNULL if stdin is None else theirs[-1],
            stdout=theirs[0],
            stderr=theirs[0] if spawn.merge_stderr else theirs[1],
            start_new_session=spawn.new_group,
        )
    except (OSError, ValueError) as error:
        _close(ours)
        raise explain(error, spawn) from error
    finally:
        _close(theirs)
    return Launched(popen, stdin, outputs)


def _open_pipes(spawn: Spawn, ours: list[int], theirs: list[int]) -> tuple[int | None, dict[Stream, int]]:
    outputs: dict[Stream, int] = {}
    for stream in spawn.streams:
        reading, writing = os.pipe()
        ours.append(reading)
        theirs.append(writing)
        outputs[stream] = reading
    if spawn.stdin is Stdin.CLOSED:
        return None, outputs
    reading, writing = os.pipe()
    ours.append(writing)
    theirs.append(reading)
    return writing, outputs


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        with suppress(OSError):
            os.close(descriptor)


def explain(error: OSError | ValueError, spawn: Spawn) -> LaunchError:
    """Turn what the system raised while starting `spawn` into the `LaunchError` that names the cause."""
    program = spawn.argv[0]
    if not isinstance(error, OSError):
        return InvalidArgument(program, str(error))
    reason = error.strerror or str(error)
    if error.errno == errno.E2BIG:
        return CommandLineTooLong(program, reason)
    if (trouble := directory_trouble(spawn.cwd)) is not None:
        return BadWorkingDirectory(program, f"working directory {os.fspath(spawn.cwd or '.')}: {trouble}")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return _not_found(program, reason, spawn)
    if error.errno in (errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ELOOP, errno.EISDIR, errno.ETXTBSY):
        return ProgramNotExecutable(program, reason)
    if error.errno == errno.ENAMETOOLONG:
        return ProgramNotFound(program, reason)
    return LaunchError(program, reason)


def directory_trouble(directory: str | os.PathLike[str] | None) -> str | None:
    """Why a child cannot start in `directory`, or None when it can."""
    try:
        mode = os.stat(directory or ".").st_mode
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISDIR(mode):
        return "not a directory"
    return None if os.access(directory or ".", os.X_OK) else "permission denied"


def _not_found(program: str, reason: str, spawn: Spawn) -> LaunchError:
    import shutil

    environment = os.environ if spawn.env is None else spawn.env
    found = shutil.which(
        os.path.join(spawn.cwd or "", program) if "/" in program else program, path=environment.get("PATH")
    )
    if found is None:
        return ProgramNotFound(program, reason)
    # The file exists, so what is missing is what it names: a script's interpreter or a program's loader.
    return ProgramNotExecutable(
        program,
        f"{found} needs an interpreter that is missing",
        "install what its first line names, or correct that line",
    )
