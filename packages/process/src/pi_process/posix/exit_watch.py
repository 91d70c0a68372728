"""Noticing that a direct child has ended, and taking its status exactly once."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

OnExit: TypeAlias = Callable[[int | None], None]
"""Gets the raw wait status as `os.waitstatus_to_exitcode` gives it, or None when somebody else took it."""


class ThreadWatch:
    """Waits in a thread, for systems without pidfds. The thread ends with the child."""

    def __init__(self, pid: int, loop: asyncio.AbstractEventLoop, on_exit: OnExit) -> None:
        self._loop = loop
        self._on_exit = on_exit
        self._done = threading.Event()
        threading.Thread(target=self._wait, args=(pid,), name=f"exit of {pid}", daemon=True).start()

    def _wait(self, pid: int) -> None:
        status = wait_status(pid, 0)
        # The loop may be gone by now; then nobody is waiting for the news.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._on_exit, status)

    def close(self) -> None:
        """Nothing to release: the thread has ended, or ends as soon as the child does."""


def wait_status(pid: int, flags: int) -> int | None:
    """Collect `pid`: its exit code, or minus the signal's number; None when there is nothing to collect."""
    try:
        collected, status = os.waitpid(pid, flags)
    except ChildProcessError:
        return None
    return os.waitstatus_to_exitcode(status) if collected else None


def reported(status: int | None) -> int | None:
    """The exit code as a shell reports it: 128+n for death by signal n."""
    return 128 - status if status is not None and status < 0 else status
