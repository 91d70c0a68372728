"""A direct child on Windows: its pipes, its exit, its job."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi
import asyncio
import functools
import threading

from pi_process.backend import Events
from pi_process.errors import LaunchError
from pi_process.spawn import Spawn
from pi_process.trees import live_trees
from pi_process.windows import api
from pi_process.windows.job import Job
from pi_process.windows.launch import Launched, launch
from pi_process.windows.pipes import PipeReader, PipeWriter, Stop, post


class WindowsChild:
    """Implements `Child`. Constructing it starts the program; raises a `LaunchError`."""

    def __init__(self, spawn: Spawn, events: Events, loop: asyncio.AbstractEventLoop) -> None:
        launched = launch(spawn)
        self._pid = launched.pid
        self._tree = launched.job
        live_trees.add(self._tree)
        self._readers: list[PipeReader] = []
        self._stdin: PipeWriter | None = None
        self._watch: ExitWatch | None = None
        self._loose = [launched.process, *launched.outputs.values()]
        if launched.stdin is not None:
            self._loose.append(launched.stdin)
        try:
            self._attach(launched, events, loop)
        except (OSError, RuntimeError) as error:
            self.close()
            live_trees.remove(self._tree)
            raise LaunchError(spawn.argv[0], f"cannot follow it: {error}") from error
        if isinstance(spawn.stdin, bytes) and self._stdin is not None:
            self._stdin.send(spawn.stdin)
            self._stdin.end()

    def _attach(self, launched: Launched, events: Events, loop: asyncio.AbstractEventLoop) -> None:
        for stream, handle in launched.outputs.items():
            on_data = functools.partial(events.output, stream)
            on_end = functools.partial(events.ended, stream)
            self._readers.append(PipeReader(handle, loop, on_data, on_end))
            self._loose.remove(handle)
        if launched.stdin is not None:
            self._stdin = PipeWriter(launched.stdin, loop)
            self._loose.remove(launched.stdin)
        self._watch = ExitWatch(launched.process, loop, events)
        self._loose.remove(launched.process)

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def tree(self) -> Job:
        return self._tree

    def pause_reading(self) -> None:
        for reader in self._readers:
            reader.pause()

    def resume_reading(self) -> None:
        for reader in self._readers:
            reader.resume()

    def stop_reading(self) -> None:
        for reader in self._readers:
            reader.close()

    async def write(self, data: bytes) -> None:
        if self._stdin is None:
            raise BrokenPipeError("standard input is not a pipe")
        await self._stdin.write(data)

    def close_stdin(self) -> None:
        if self._stdin is not None:
            self._stdin.end()

    def close(self) -> None:
        self.stop_reading()
        if self._stdin is not None:
            self._stdin.close()
        if self._watch is not None:
            self._watch.close()
        while self._loose:
            _winapi.CloseHandle(self._loose.pop())


class ExitWatch:
    """Reports the exit of the process behind `handle`, which it closes at the end."""

    def __init__(self, handle: int, loop: asyncio.AbstractEventLoop, events: Events) -> None:
        self._handle = handle
        self._loop = loop
        self._events = events
        self._stop = Stop()
        threading.Thread(target=self._serve, name="exit of a child", daemon=True).start()

    def close(self) -> None:
        """Stop watching; an exit that has happened meanwhile is still reported."""
        self._stop.set()

    def _serve(self) -> None:
        _winapi.WaitForMultipleObjects([self._handle, self._stop.handle], False, api.INFINITE)
        exit_code = _winapi.GetExitCodeProcess(self._handle)
        if _winapi.WaitForSingleObject(self._handle, 0) == _winapi.WAIT_OBJECT_0:
            post(self._loop, functools.partial(self._events.exited, exit_code))
        _winapi.CloseHandle(self._handle)
        self._stop.close()
