"""Blocking work on files beside the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from pi_files.errors import FileError

T = TypeVar("T")

GRACE = 5.0
"""Seconds a cancelled call waits for its thread, so that a write begun is finished before the lock is given up."""


class Stopped(Exception):
    """Raised inside blocking work to end it early; nobody waits for the result any more."""


class StopSignal:
    """Tells blocking work that its caller has given up."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    def check(self) -> None:
        """Raise `Stopped` once the caller has given up; long loops call it every few steps."""
        if self._event.is_set():
            raise Stopped


async def in_thread(work: Callable[[StopSignal], T]) -> T:
    """Run blocking work in a thread. When cancelled it is told so, waited for (at most `GRACE`), and left."""
    stop = StopSignal()
    task = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.set()
        task.add_done_callback(_forget)
        await asyncio.wait([task], timeout=GRACE)
        raise


def _forget(task: "asyncio.Task[T]") -> None:
    """Take note of how abandoned work ended; only what is no file error is worth a warning."""
    if task.cancelled():
        return
    error = task.exception()
    if error is not None and not isinstance(error, Stopped | FileError):
        asyncio.get_running_loop().call_exception_handler({"message": "abandoned file work failed", "exception": error})
