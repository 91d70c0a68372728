"""Starting programs on POSIX: posix_spawn, which costs no fork of this process."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import os
import signal
from typing import TYPE_CHECKING

from pi_shell_engine.engine.environment import PosixVariables
from pi_shell_engine.engine.spawning import spawn_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import Streams

RESET = [signal.SIGPIPE, signal.SIGXFSZ]
"""What Python ignores and programs must not find ignored."""
SILENT = (signal.SIGINT, signal.SIGPIPE)


class PosixChild:
    """A program started here; its status is taken once."""

    __slots__ = ("_name", "_pid", "_run")

    def __init__(self, pid: int, run: Run, name: str) -> None:
        self._pid = pid
        self._run = run
        self._name = name

    def wait(self, report: int | None) -> int:
        """Its exit status. A signal that ended it is named on the descriptor `report`, as bash does."""
        status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        if status >= 0:
            return status
        if report is not None and -status not in SILENT:
            self._run.warn(f"{self._name}: {signal.strsignal(-status) or f'signal {-status}'}", report)
        return 128 - status


def start(run: Run, program: str, argv: Sequence[str], cwd: str, variables: Variables, io: Streams) -> PosixChild:
    """Starts `program` in `cwd`. Raises `OSError`, or `ValueError` for an argument with a NUL."""
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(io)]
    environment = variables.encoded() if isinstance(variables, PosixVariables) else variables
    with spawn_lock:
        # The process's own directory is nothing but an argument of posix_spawn; no other code here depends on it.
        os.chdir(cwd)
        pid = os.posix_spawn(program, list(argv), environment, file_actions=actions, setsigdef=RESET)
    return PosixChild(pid, run, argv[0])
