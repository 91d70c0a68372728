"""A direct child on POSIX: its pipes, its exit, its tree."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import asyncio
import functools
import os

from pi_process.backend import Events
from pi_process.errors import LaunchError
from pi_process.posix.exit_watch import reported
from pi_process.posix.launch import Launched, explain, launch
from pi_process.posix.means import Means, Watch, system_means
from pi_process.posix.pipes import PipeReader, PipeWriter
from pi_process.spawn import Spawn
from pi_process.trees import Tree, kill_and_wait, live_trees


class PosixChild:
    """Implements `Child`. Constructing it starts the program; raises a `LaunchError`."""

    def __init__(self, spawn: Spawn, events: Events, loop: asyncio.AbstractEventLoop) -> None:
        means = system_means()
        try:
            with means.starting() as tree:
                launched = launch(spawn)
        except OSError as error:
            raise explain(error, spawn) from error
        self._popen = launched.popen
        self._events = events
        self._ended = False
        self._tree = tree(self.pid, spawn.new_group)
        live_trees.add(self._tree)
        self._readers: list[PipeReader] = []
        self._stdin: PipeWriter | None = None
        self._watch: Watch | None = None
        self._loose = [*launched.outputs.values(), *(() if launched.stdin is None else (launched.stdin,))]
        try:
            self._attach(launched, means, loop)
        except (OSError, RuntimeError) as error:
            self._undo()
            raise LaunchError(spawn.argv[0], f"cannot follow it: {error}") from error
        if isinstance(spawn.stdin, bytes) and self._stdin is not None:
            self._stdin.send(spawn.stdin)
            self._stdin.end()

    def _attach(self, launched: Launched, means: Means, loop: asyncio.AbstractEventLoop) -> None:
        self._watch = means.watch(self.pid, loop, self._exited)
        for stream, descriptor in launched.outputs.items():
            on_data = functools.partial(self._events.output, stream)
            on_end = functools.partial(self._events.ended, stream)
            self._readers.append(PipeReader(descriptor, loop, on_data, on_end))
            self._loose.remove(descriptor)
        if launched.stdin is not None:
            self._stdin = PipeWriter(launched.stdin, loop)
            self._loose.remove(launched.stdin)

    def _undo(self) -> None:
        """The program runs but the loop or the system cannot follow it: leave nothing of it."""
        self._tree.kill()
        self._popen.wait()
        self._tree.root_collected()
        kill_and_wait((self._tree,))
        self.close()
        live_trees.remove(self._tree)

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
        if self._watch is not None:
            self._watch.close()
        while self._loose:
            os.close(self._loose.pop())

    def _exited(self, status: int | None) -> None:
        if self._ended:
            return
        self._ended = True
        # Popen is told, lest it wait for a number that is no longer ours.
        self._popen.returncode = -1 if status is None else status
        self._tree.root_collected()
        self._events.exited(reported(status))
