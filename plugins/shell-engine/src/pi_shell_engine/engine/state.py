"""What one shell or subshell knows, and the ways in which it ends early."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pi_shell_engine.engine.environment import Variables


class Streams(NamedTuple):
    """The descriptors that a command has for 0, 1 and 2."""

    stdin: int
    stdout: int
    stderr: int


class State:
    """Working directory, variables and the last status of one shell.

    `loops` counts the loops around the running command; `substituted` is the status of the last command substitution
    of the command that is being expanded (`None`: it had none).
    """

    __slots__ = ("cwd", "loops", "status", "substituted", "variables")

    def __init__(self, cwd: str, variables: Variables, status: int = 0) -> None:
        self.cwd = cwd
        self.variables = variables
        self.status = status
        self.loops = 0
        self.substituted: int | None = None

    def subshell(self) -> State:
        """A copy whose changes do not come back."""
        return State(self.cwd, self.variables.copy(), self.status)


class ShellExit(Exception):
    """Ends the shell or subshell it is raised in, with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class LoopControl(Exception):
    """Leaves loops with a status: `levels` of them, and goes on with the next round of the last one if `again`."""

    def __init__(self, levels: int, *, again: bool, status: int = 0) -> None:
        super().__init__(levels, again, status)
        self.levels = levels
        self.again = again
        self.status = status


class CommandError(Exception):
    """A command cannot run (a bad redirection, an expansion): its text goes to standard error, the list goes on."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.text = text
        self.status = status
