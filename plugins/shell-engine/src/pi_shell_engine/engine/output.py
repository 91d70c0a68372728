"""The session's output, with what small builtins print gathered into fewer writes.

Every write wakes the host, so a loop of `echo` is written in blocks. Whatever may wait for anything, or writes by
itself, flushes first: order is kept, and nothing is held back while nothing happens.
"""

from __future__ import annotations

import _thread
import time

from pi_shell_engine.streams import write_all

LARGE = 1 << 15
HOLD = 0.02
"""Seconds for which a loop may hold output back."""


class Output:
    """Gathers writes to `descriptor`; writes to any other one pass through at once."""

    __slots__ = ("_held", "_lock", "_since", "descriptor")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._held = bytearray()
        self._since = 0.0
        self._lock = _thread.allocate_lock()

    def write(self, descriptor: int, data: bytes | bytearray | memoryview) -> None:
        """`data` to a descriptor, held back if it is the session's. Raises `OSError`."""
        if descriptor != self.descriptor:
            write_all(descriptor, data)
            return
        with self._lock:
            if not self._held:
                self._since = time.monotonic()
            self._held += data
            if len(self._held) >= LARGE:
                self._write()

    def flush(self) -> None:
        """What is held back goes out."""
        if self._held:
            with self._lock:
                self._write()

    def flush_if_old(self) -> None:
        """As `flush`, when something has been held back for long; for loops that need not wait for anything."""
        if self._held and time.monotonic() - self._since > HOLD:
            self.flush()

    def take(self) -> bytes:
        """What is held back, to be written by the caller."""
        with self._lock:
            held = bytes(self._held)
            self._held.clear()
            return held

    def _write(self) -> None:
        held = bytes(self._held)
        self._held.clear()
        if held:
            write_all(self.descriptor, held)
