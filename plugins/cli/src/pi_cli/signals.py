"""Ending in order when a signal says so: the running task is cancelled once, the exit status tells the signal."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


def run_until_signalled(main: Awaitable[int]) -> int:
    """Run a coroutine on a new loop; its result, or 128 plus the number of the signal that ended it."""
    with asyncio.Runner() as runner:
        return runner.run(_supervise(main))


async def _supervise(main: Awaitable[int]) -> int:
    task = asyncio.ensure_future(main)
    received: list[int] = []

    def stop(number: int) -> None:
        received.append(number)
        task.cancel()

    with contextlib.ExitStack() as undo:
        for name in NAMES:
            if hasattr(signal, name):
                _listen(getattr(signal, name), stop, undo)
        try:
            return await task
        except asyncio.CancelledError:
            if received:
                return 128 + received[0]
            raise


def _listen(number: int, stop: Any, undo: contextlib.ExitStack) -> None:
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        loop.add_signal_handler(number, stop, number)
        undo.callback(loop.remove_signal_handler, number)
        return
    previous = signal.signal(number, lambda received, frame: loop.call_soon_threadsafe(stop, received))
    undo.callback(signal.signal, number, previous)
