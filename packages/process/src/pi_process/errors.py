"""Why a child could not be started or written to. Every text says what happened, to what, and what to do."""

from __future__ import annotations


class ProcessError(Exception):
    """Root of what this package raises on purpose."""


class StdinClosed(ProcessError):
    """The child's standard input has been closed, by us or by the child."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program} no longer reads its standard input; start it again to send more")


class LaunchError(ProcessError):
    """The system refused to start a program; no process of it ever ran.

    `program` is `argv[0]`, `reason` what the system said, `remedy` what to do about it. The subclasses name the causes
    that can be told apart; this class itself stands for the rest (out of processes, memory or descriptors).
    """

    default_remedy = "close other programs or raise the system's limits, then try again"

    def __init__(self, program: str, reason: str, remedy: str | None = None) -> None:
        self.program = program
        self.reason = reason
        self.remedy = remedy or self.default_remedy
        super().__init__(f"cannot start {program}: {reason}; {self.remedy}")

    def __reduce__(self) -> tuple[type[LaunchError], tuple[str, str, str]]:
        return type(self), (self.program, self.reason, self.remedy)


class ProgramNotFound(LaunchError):
    """No such program, neither at its path nor on the PATH."""

    default_remedy = "install it, correct its name, or give its full path"


class ProgramNotExecutable(LaunchError):
    """The file is there, but this user may not run it or the system cannot."""

    default_remedy = "check that it is a program for this system and that you may execute it"


class BadWorkingDirectory(LaunchError):
    """The working directory is missing, is no directory, or may not be entered."""

    default_remedy = "choose an existing directory"


class CommandLineTooLong(LaunchError):
    """Arguments and environment together exceed the system's limit."""

    default_remedy = "put the long text into a file or send it on standard input"


class InvalidArgument(LaunchError):
    """An argument, variable or path holds a character that no program can receive."""

    default_remedy = "remove the NUL character"


class UnsafeBatchCommand(LaunchError):
    """A `.bat` or `.cmd` file cannot be started this way without cmd.exe reading the text as commands."""

    default_remedy = "call the program behind the batch file directly, or pass the text in a file"
