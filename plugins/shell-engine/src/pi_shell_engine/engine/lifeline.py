"""Ends the engine, and what it started, when the host is gone: also while a command runs."""

from __future__ import annotations

import _thread
import os
import sys


def end_with(requests: int) -> None:
    """Watches for the host's end of the request pipe to be closed. On Windows the host's job object does this."""
    if sys.platform == "win32" or os.getpgrp() != os.getpid():
        return
    _thread.start_new_thread(_watch, (requests,))


def _watch(requests: int) -> None:
    if sys.platform != "win32":
        import select

        poll = select.poll()
        # No events are asked for: only the hang-up, which is always reported, ends the wait.
        poll.register(requests, 0)
        poll.poll()
        kill_group()


def kill_group() -> None:
    """Kills the process group that this process leads, itself included."""
    if sys.platform != "win32":
        import signal

        os.killpg(0, signal.SIGKILL)
