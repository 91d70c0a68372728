"""Starting programs on Windows: the handles of the command, and nothing else, are inherited; batch files are quoted."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import subprocess
from typing import TYPE_CHECKING

from pi_shell_engine.engine.batch import command_interpreter, command_line, is_batch
from pi_shell_engine.engine.environment import WindowsVariables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import Streams


class WindowsChild:
    """A program started here."""

    __slots__ = ("_popen",)

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen

    def wait(self, report: int | None) -> int:
        """Its exit code as it is."""
        return self._popen.wait()


def start(run: Run, program: str, argv: Sequence[str], cwd: str, variables: Variables, io: Streams) -> WindowsChild:
    """Starts `program` in `cwd`. Raises `OSError`, or `ValueError` for arguments that cannot be passed."""
    executable = command_interpreter(variables) if is_batch(program) else program
    popen = subprocess.Popen(
        command_line(program, argv[1:], executable),
        executable=executable,
        cwd=cwd,
        env=variables.passable() if isinstance(variables, WindowsVariables) else variables,
        stdin=io.stdin,
        stdout=io.stdout,
        stderr=io.stderr,
    )
    return WindowsChild(popen)
