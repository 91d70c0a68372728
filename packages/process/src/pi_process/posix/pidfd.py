"""Noticing the end of a direct child through a pidfd (Linux 5.3), without a thread."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "linux"

import asyncio
import os

from pi_process.posix.exit_watch import OnExit, wait_status


class DescriptorWatch:
    """Reports the end of `pid` to `on_exit`, once."""

    def __init__(self, pid: int, loop: asyncio.AbstractEventLoop, on_exit: OnExit) -> None:
        self._pid = pid
        self._loop = loop
        self._on_exit = on_exit
        self._descriptor = os.pidfd_open(pid)
        self._open = True
        loop.add_reader(self._descriptor, self._ended)

    def _ended(self) -> None:
        self._stop()
        self._on_exit(wait_status(self._pid, 0))

    def close(self) -> None:
        """Stop watching; a child that has ended meanwhile is still collected."""
        if self._open:
            self._stop()
            self._on_exit(wait_status(self._pid, os.WNOHANG))

    def _stop(self) -> None:
        self._open = False
        if not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)


def has_pidfd() -> bool:
    """Whether this kernel and sandbox grant pidfds."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (OSError, AttributeError):
        return False
    return True
