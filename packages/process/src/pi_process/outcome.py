"""How a run ended, told from what happened to the process and never from what it printed."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from pi_process.errors import LaunchError


class Cause(enum.StrEnum):
    """The first thing that ended a run; what came later never changes it."""

    EXITED = "exited"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    LAUNCH_FAILED = "launch_failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The facts of one finished run.

    `exit_code` is the direct child's: 128+n when signal n ended it on POSIX, unsigned 32 bits on Windows, None when it
    never started or its status is unknown. It never decides `cause`: a child stopped by the timeout may well exit 0.
    `duration` is in seconds and covers the drain. `pipe_held` says that something outlived the drain with the output
    pipe open, so later output was not read. `survivors` are processes of the tree that could not be killed.
    """

    cause: Cause
    started: bool
    exit_code: int | None = None
    pid: int | None = None
    duration: float = 0.0
    failure: LaunchError | None = None
    pipe_held: bool = False
    survivors: tuple[int, ...] = ()

    @property
    def ok(self) -> bool:
        """It ended by itself with status 0."""
        return self.cause is Cause.EXITED and self.exit_code == 0
