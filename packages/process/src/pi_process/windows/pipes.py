"""Our ends of a child's pipes, each served by a thread that can be stopped at any moment (overlapped input/output)."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi
import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress

from pi_process.windows import api

READ_SIZE = 1 << 16
AHEAD = 16
"""Reads the loop may not have seen yet; beyond that the thread waits for it."""


class Stop:
    """A Windows event that other threads wait for together with what they do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.handle = api.create_event(None, True, False, None)
        if not self.handle:
            raise api.last_error()

    def set(self) -> None:
        with self._lock:
            if self.handle:
                api.set_event(self.handle)

    def close(self) -> None:
        with self._lock:
            handle, self.handle = self.handle, 0
            if handle:
                _winapi.CloseHandle(handle)


def finished(overlapped: _winapi.Overlapped, status: int, stop: Stop) -> int | None:
    """Wait for a started transfer: its size, or None when `stop` came first. Raises OSError."""
    if status == _winapi.ERROR_IO_PENDING:
        first = _winapi.WaitForMultipleObjects([overlapped.event, stop.handle], False, api.INFINITE)
        if first != _winapi.WAIT_OBJECT_0:
            overlapped.cancel()
            with suppress(OSError):
                overlapped.GetOverlappedResult(True)
            return None
    size, _ = overlapped.GetOverlappedResult(True)
    return size


def post(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> bool:
    """Run `call` in the loop; False when the loop is gone and nobody is waiting any more."""
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        return False
    return True


class PipeReader:
    """Reads `handle` as data arrives; `on_data` gets each read, `on_end` is called once at end of file."""

    def __init__(
        self, handle: int, loop: asyncio.AbstractEventLoop, on_data: Callable[[bytes], None], on_end: Callable[[], None]
    ) -> None:
        self._handle = handle
        self._loop = loop
        self._on_data = on_data
        self._on_end = on_end
        self._stop = Stop()
        self._open = True
        self._paused = False
        self._unseen = 0
        self._permits = threading.Semaphore(AHEAD)
        threading.Thread(target=self._serve, name="output of a child", daemon=True).start()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        if self._unseen:
            self._permits.release(self._unseen)
            self._unseen = 0

    def close(self) -> None:
        self._open = False
        self._stop.set()
        self.resume()
        self._permits.release()

    def _serve(self) -> None:
        while self._permits.acquire() and self._open and (data := self._read()) is not None:
            if not post(self._loop, lambda data=data: self._deliver(data)) or not data:  # type: ignore[misc]
                break
        _winapi.CloseHandle(self._handle)
        self._stop.close()

    def _read(self) -> bytes | None:
        # A child may write nothing, which reads as no bytes and is no end of file.
        size: int | None = 0
        while size == 0:
            try:
                overlapped, status = _winapi.ReadFile(self._handle, READ_SIZE, overlapped=True)
                size = finished(overlapped, status, self._stop)
            except BrokenPipeError:
                return b""
        return None if size is None else bytes(overlapped.getbuffer() or b"")[:size]

    def _deliver(self, data: bytes) -> None:
        if not self._open:
            return
        if not data:
            self._open = False
            self._on_end()
            return
        self._unseen += 1
        self._on_data(data)
        if not self._paused:
            self.resume()


class PipeWriter:
    """Writes to `handle` as the child takes it; writes are kept in order and nothing is dropped silently."""

    def __init__(self, handle: int, loop: asyncio.AbstractEventLoop) -> None:
        self._handle = handle
        self._loop = loop
        self._stop = Stop()
        self._pending: queue.SimpleQueue[tuple[bytes, asyncio.Future[None] | None] | None] = queue.SimpleQueue()
        self._open = True
        threading.Thread(target=self._serve, name="input of a child", daemon=True).start()

    def send(self, data: bytes) -> None:
        """Queue `data` without waiting and without caring whether the child reads it."""
        self._pending.put((data, None))

    async def write(self, data: bytes) -> None:
        if not self._open:
            raise BrokenPipeError("standard input is closed")
        taken: asyncio.Future[None] = self._loop.create_future()
        self._pending.put((data, taken))
        await taken

    def end(self) -> None:
        self._open = False
        self._pending.put(None)

    def close(self) -> None:
        self._stop.set()
        self.end()

    def _serve(self) -> None:
        while (item := self._pending.get()) is not None:
            data, taken = item
            complete = self._write(data)
            if taken is not None and not post(self._loop, lambda a=taken, b=complete: self._settle(a, b)):  # type: ignore[misc]
                break
        _winapi.CloseHandle(self._handle)
        self._stop.close()

    def _write(self, data: bytes) -> bool:
        """False when the child has closed its end or we were stopped."""
        while data:
            try:
                overlapped, status = _winapi.WriteFile(self._handle, data, overlapped=True)
                size = finished(overlapped, status, self._stop)
            except OSError:
                return False
            if size is None:
                return False
            data = data[size:]
        return True

    def _settle(self, taken: asyncio.Future[None], complete: bool) -> None:
        if taken.done():
            return
        if complete:
            taken.set_result(None)
        else:
            self._open = False
            taken.set_exception(BrokenPipeError("standard input is closed"))
