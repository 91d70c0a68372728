"""Starting a program on Windows inside a job, and telling why the system would not."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi
import os
import subprocess
from asyncio import windows_utils
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from pi_process.environment import merge_environment
from pi_process.errors import (
    BadWorkingDirectory,
    CommandLineTooLong,
    InvalidArgument,
    LaunchError,
    ProgramNotExecutable,
    ProgramNotFound,
)
from pi_process.spawn import Spawn, Stdin, Stream
from pi_process.windows import api
from pi_process.windows.command_line import batch_line, program_line
from pi_process.windows.job import Job
from pi_process.windows.programs import ProgramView, find_program, is_batch

ELEVATION = "start pi from a terminal that runs as administrator"


@dataclass(frozen=True, slots=True)
class Launched:
    """A started program: its process handle, its job, and our overlapped ends of its pipes, all to be closed by us."""

    pid: int
    process: int
    job: Job
    stdin: int | None
    outputs: Mapping[Stream, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """What CreateProcess gets."""

    application: str
    command_line: str
    environment: dict[str, str] | None
    directory: str


def plan(spawn: Spawn) -> Plan:
    """Find the program and write its command line. Raises a `LaunchError`."""
    program = spawn.argv[0]
    directory = os.path.abspath(os.fspath(spawn.cwd or "."))
    if not os.path.isdir(directory):
        raise BadWorkingDirectory(program, f"working directory {directory} is missing or not a directory")
    environment = None if spawn.env is None else merge_environment(spawn.env, {}, windows=True)
    lookup = os.environ if environment is None else environment
    path = find_program(program, ProgramView(lookup, directory, os.path.isfile))
    if path is None:
        raise ProgramNotFound(program, "no such file on PATH with an ending from PATHEXT")
    if not is_batch(path):
        return Plan(path, program_line((path, *spawn.argv[1:])), environment, directory)
    cmd = api.cmd_exe()
    return Plan(cmd, batch_line(cmd, (path, *spawn.argv[1:]), directory), environment, directory)


def launch(spawn: Spawn) -> Launched:
    """Start `spawn`. Raises a `LaunchError`, leaving no handle open and nothing running."""
    planned = plan(spawn)
    ours = ExitStack()
    try:
        with ExitStack() as theirs:
            return _launch(spawn, planned, ours, theirs)
    except (OSError, ValueError) as error:
        ours.close()
        raise explain(error, spawn) from error


def _launch(spawn: Spawn, planned: Plan, ours: ExitStack, theirs: ExitStack) -> Launched:
    outputs: dict[Stream, int] = {}
    given: dict[Stream, int] = {}
    for stream in spawn.streams:
        outputs[stream], given[stream] = windows_utils.pipe(overlapped=(True, False))
        ours.callback(_winapi.CloseHandle, outputs[stream])
        theirs.callback(_winapi.CloseHandle, given[stream])
    stdin: int | None = None
    if spawn.stdin is Stdin.CLOSED:
        reading = _winapi.CreateFile("NUL", _winapi.GENERIC_READ, 0, 0, _winapi.OPEN_EXISTING, 0, 0)
    else:
        reading, stdin = windows_utils.pipe(overlapped=(False, True))
        ours.callback(_winapi.CloseHandle, stdin)
    theirs.callback(_winapi.CloseHandle, reading)
    job = Job()
    ours.callback(job.release)
    startup = _startup(reading, given[Stream.STDOUT], given.get(Stream.STDERR, given[Stream.STDOUT]), spawn.hidden)
    process, thread, pid, _ = _winapi.CreateProcess(
        planned.application,
        planned.command_line,
        None,
        None,
        True,
        _flags(spawn),
        planned.environment,  # type: ignore[arg-type] # None inherits the host's own
        planned.directory,
        startup,
    )
    theirs.callback(_winapi.CloseHandle, thread)
    ours.callback(_winapi.CloseHandle, process)
    try:
        job.assign(process)
    except OSError:
        _winapi.TerminateProcess(process, 1)
        raise
    api.resume_thread(thread)
    ours.pop_all()
    return Launched(pid, process, job, stdin, outputs)


def _flags(spawn: Spawn) -> int:
    # Suspended: the program must not start a child of its own before it is in the job.
    flags = api.CREATE_SUSPENDED | api.CREATE_UNICODE_ENVIRONMENT
    if spawn.new_group:
        flags |= api.CREATE_NEW_PROCESS_GROUP
    if spawn.hidden:
        flags |= api.CREATE_NO_WINDOW
    return flags


def _startup(stdin: int, stdout: int, stderr: int, hidden: bool) -> subprocess.STARTUPINFO:
    handles = list(dict.fromkeys((stdin, stdout, stderr)))
    for handle in handles:
        os.set_handle_inheritable(handle, True)
    startup = subprocess.STARTUPINFO(
        dwFlags=subprocess.STARTF_USESTDHANDLES,
        hStdInput=stdin,
        hStdOutput=stdout,
        hStdError=stderr,
        # Only these are inherited, so children started at the same time do not keep each other's pipes open.
        lpAttributeList={"handle_list": handles},
    )
    if hidden:
        startup.dwFlags |= subprocess.STARTF_USESHOWWINDOW
        startup.wShowWindow = subprocess.SW_HIDE
    return startup


_CAUSES: dict[int, type[LaunchError]] = {
    2: ProgramNotFound,
    3: ProgramNotFound,
    5: ProgramNotExecutable,
    32: ProgramNotExecutable,
    193: ProgramNotExecutable,
    206: CommandLineTooLong,
    216: ProgramNotExecutable,
    267: BadWorkingDirectory,
    740: ProgramNotExecutable,
}


def explain(error: OSError | ValueError, spawn: Spawn) -> LaunchError:
    """Turn what the system raised while starting `spawn` into the `LaunchError` that names the cause."""
    program = spawn.argv[0]
    if not isinstance(error, OSError):
        return InvalidArgument(program, str(error))
    reason = f"{error.strerror or error} (Windows error {error.winerror})"
    return _CAUSES.get(error.winerror, LaunchError)(program, reason, ELEVATION if error.winerror == 740 else None)
