"""The seam between the asynchronous handle and the operating system."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from pi_process.spawn import Spawn, Stream
from pi_process.trees import Tree

if TYPE_CHECKING:
    import asyncio


class Events(Protocol):
    """What a started child reports, always in the event loop."""

    def output(self, stream: Stream, data: bytes) -> None:
        """Some bytes arrived."""

    def ended(self, stream: Stream) -> None:
        """Every writer of this stream has closed it."""

    def exited(self, exit_code: int | None) -> None:
        """The direct child is gone; None when somebody else collected its status."""


class Child(Protocol):
    """A started direct child with its pipes."""

    @property
    def pid(self) -> int: ...

    @property
    def tree(self) -> Tree: ...

    def pause_reading(self) -> None:
        """Stop taking output, so that the child blocks once the pipe is full."""

    def resume_reading(self) -> None: ...

    def stop_reading(self) -> None:
        """Close our ends of the output pipes. Nothing is reported for them any more."""

    async def write(self, data: bytes) -> None:
        """Hand `data` to the child's standard input, returning when the pipe has taken all of it.

        Raises BrokenPipeError when the child has closed it.
        """

    def close_stdin(self) -> None:
        """End the child's standard input once everything written has been taken."""

    def close(self) -> None:
        """Release pipes, watchers and handles; collect the direct child's status if that was not done."""


def start_child(spawn: Spawn, events: Events, loop: asyncio.AbstractEventLoop) -> Child:
    """Start `spawn` with this system's means. Raises a `LaunchError`."""
    if sys.platform == "win32":
        from pi_process.windows.child import WindowsChild

        return WindowsChild(spawn, events, loop)
    else:  # noqa: RET505 - a type checker follows the branch of its own system only
        from pi_process.posix.child import PosixChild

        return PosixChild(spawn, events, loop)
