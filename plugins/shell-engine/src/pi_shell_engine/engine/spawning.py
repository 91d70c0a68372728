"""Starts programs as direct children that inherit the very descriptors of their command."""

from __future__ import annotations

import errno
import os
import sys
import threading
from typing import TYPE_CHECKING, Protocol

from pi_shell import refuse

from pi_shell_engine.builtins.interface import reason
from pi_shell_engine.engine.state import CommandError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import Streams

POWERSHELL_ARGUMENTS = ("-NoLogo", "-NoProfile", "-NonInteractive", "-File")


class Child(Protocol):
    """A started program."""

    def wait(self, report: int | None) -> int:
        """Its exit status: 128+n when signal n ended it, which is told on the descriptor `report`."""


class Ended:
    """Something that is over already, with its status or with what it raised."""

    __slots__ = ("_error", "_status")

    def __init__(self, status: int, error: BaseException | None = None) -> None:
        self._status = status
        self._error = error

    def wait(self, report: int | None = None) -> int:
        """The status at once."""
        if self._error is not None:
            raise self._error
        return self._status


def spawn(run: Run, program: str, argv: Sequence[str], cwd: str, variables: Variables, io: Streams) -> Child:
    """Starts the file `program`. Raises a `Refusal`, or a `CommandError` with status 126."""
    if program.lower().endswith(".ps1"):
        if run.powershell is None:
            text = f"{argv[0]}: a .ps1 file needs PowerShell 7, and there is none: install it or set shellPath"
            raise CommandError(text, 126)
        argv = (run.powershell, *POWERSHELL_ARGUMENTS, program, *argv[1:])
        program = run.powershell
    try:
        if sys.platform == "win32":
            from pi_shell_engine.engine.windows_spawning import start
        else:
            from pi_shell_engine.engine.posix_spawning import start
        return start(run, program, argv, cwd, variables, io)
    except OSError as error:
        raise _explain(error, argv[0], program, cwd) from error
    except ValueError as error:
        raise CommandError(f"{argv[0]}: {error}", 126) from error


def _explain(error: OSError, name: str, program: str, cwd: str) -> Exception:
    if not os.path.isdir(cwd):
        return refuse("cwd-missing", text=cwd)
    if error.errno == errno.ENOEXEC:
        return refuse("posix-script", word=name)
    if error.errno == errno.ENOENT:
        return CommandError(f"{name}: cannot execute: required file not found", 126 if os.path.exists(program) else 127)
    return CommandError(f"{name}: {reason(error)}", 126)


spawn_lock = threading.Lock()
