"""Our ends of a child's pipes, driven by the event loop without threads."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import asyncio
import os
from collections import deque
from collections.abc import Callable

READ_SIZE = 1 << 16


class PipeReader:
    """Reads `descriptor` as data arrives; `on_data` gets each read, `on_end` is called once at end of file."""

    def __init__(
        self,
        descriptor: int,
        loop: asyncio.AbstractEventLoop,
        on_data: Callable[[bytes], None],
        on_end: Callable[[], None],
    ) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = loop
        self._on_data = on_data
        self._on_end = on_end
        self._open = True
        self.resume()

    def pause(self) -> None:
        if self._open:
            self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        if self._open:
            self._loop.add_reader(self._descriptor, self._ready)

    def close(self) -> None:
        if not self._open:
            return
        self._open = False
        if not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _ready(self) -> None:
        try:
            data = os.read(self._descriptor, READ_SIZE)
        except BlockingIOError:
            return
        if data:
            self._on_data(data)
        else:
            self.close()
            self._on_end()


class PipeWriter:
    """Writes to `descriptor` as the child takes it; writes are kept in order and nothing is dropped silently."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._loop = loop
        self._pending: deque[tuple[memoryview, asyncio.Future[None] | None]] = deque()
        self._open = True
        self._ending = False

    def send(self, data: bytes) -> None:
        """Queue `data` without waiting and without caring whether the child reads it."""
        self._put(data, None)

    async def write(self, data: bytes) -> None:
        if not self._open or self._ending:
            raise BrokenPipeError("standard input is closed")
        taken: asyncio.Future[None] = self._loop.create_future()
        self._put(data, taken)
        await taken

    def end(self) -> None:
        self._ending = True
        if not self._pending:
            self.close()

    def close(self) -> None:
        if not self._open:
            return
        self._open = False
        if not self._loop.is_closed():
            self._loop.remove_writer(self._descriptor)
        os.close(self._descriptor)
        while self._pending:
            _, taken = self._pending.popleft()
            if taken is not None and not taken.done():
                taken.set_exception(BrokenPipeError("standard input is closed"))

    def _put(self, data: bytes, taken: asyncio.Future[None] | None) -> None:
        self._pending.append((memoryview(data), taken))
        if len(self._pending) == 1:
            self._ready()
        if self._pending:
            self._loop.add_writer(self._descriptor, self._ready)

    def _ready(self) -> None:
        while self._pending:
            data, taken = self._pending[0]
            try:
                written = os.write(self._descriptor, data)
            except BlockingIOError:
                return
            except (BrokenPipeError, ConnectionResetError):
                self.close()
                return
            if written < len(data):
                self._pending[0] = (data[written:], taken)
                return
            self._pending.popleft()
            if taken is not None and not taken.done():
                taken.set_result(None)
        self._loop.remove_writer(self._descriptor)
        if self._ending:
            self.close()
