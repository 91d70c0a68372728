"""A direct child on POSIX: its pipes, its exit, its tree."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import asyncio
import functools

from pi_process.backend import Events
from pi_process.posix.exit_watch import reported
from pi_process.posix.launch import launch
from pi_process.posix.means import system_means
from pi_process.posix.pipes import PipeReader, PipeWriter
from pi_process.spawn import Spawn
from pi_process.trees import Tree, live_trees


class PosixChild:
    """Implements `Child`. Constructing it starts the program; raises a `LaunchError`."""

    def __init__(self, spawn: Spawn, events: Events, loop: asyncio.AbstractEventLoop) -> None:
        means = system_means()
        means.prepare()
        launched = launch(spawn)
        self._popen = launched.popen
        self._events = events
        self._ended = False
        self._tree = means.tree(self.pid, spawn.new_group)
        live_trees.add(self._tree)
        self._readers = [
            PipeReader(
                descriptor,
                loop,
                functools.partial(events.output, stream),
                functools.partial(events.ended, stream),
            )
            for stream, descriptor in launched.outputs.items()
        ]
        self._stdin = PipeWriter(launched.stdin, loop) if launched.stdin is not None else None
        self._watch = means.watch(self.pid, loop, self._exited)
        if isinstance(spawn.stdin, bytes) and self._stdin is not None:
            self._stdin.send(spawn.stdin)
            self._stdin.end()

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def tree(self) -> Tree:
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
        self._watch.close()

    def _exited(self, status: int | None) -> None:
        if self._ended:
            return
        self._ended = True
        # Popen is told, lest it wait for a number that is no longer ours.
        self._popen.returncode = -1 if status is None else status
        self._tree.root_collected()
        self._events.exited(reported(status))
