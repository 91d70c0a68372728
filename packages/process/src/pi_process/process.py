"""The handle of one running child: its output as it arrives, its input, its exit, its tree."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from types import TracebackType

from pi_process.backend import start_child
from pi_process.errors import StdinClosed
from pi_process.spawn import DEFAULT_DRAIN, Chunk, Drain, Leftovers, Sink, Spawn, Stream
from pi_process.trees import KILL_LIMIT, Tree, backoff, kill_and_wait, live_trees

HIGH_WATER = 1 << 20
"""Unread output in bytes at which reading pauses; the child then blocks, as at a full pipe."""


class Process:
    """A started child, alive from `start` until `close`; best used as an async context manager.

    Output goes to the sink given to `start`, or else waits here for `read`. It ends by itself: at end of file, or, once
    the direct child has exited, as soon as the `Drain` is over.
    """

    def __init__(self, spawn: Spawn, sink: Sink | None, drain: Drain) -> None:
        self.spawn = spawn
        self.pipe_held = False
        self._sink = sink
        self._drain = drain
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[int | None] = self._loop.create_future()
        self._finished: asyncio.Future[None] = self._loop.create_future()
        self._open_streams = set(spawn.streams)
        self._chunks: deque[Chunk] = deque()
        self._unread = 0
        self._paused = False
        self._news = asyncio.Event()
        self._last_byte = self._exit_time = time.monotonic()
        self._drain_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._child = start_child(spawn, self, self._loop)

    @property
    def pid(self) -> int:
        """Pid of the direct child."""
        return self._child.pid

    @property
    def tree(self) -> Tree:
        """The direct child and all its descendants."""
        return self._child.tree

    @property
    def exit_code(self) -> int | None:
        """The direct child's exit code (128+n for signal n on POSIX); None while it runs or if it is unknown."""
        return self._exited.result() if self._exited.done() else None

    @property
    def running(self) -> bool:
        """Whether the direct child has not been seen to exit."""
        return not self._exited.done()

    async def wait(self) -> int | None:
        """Wait for the direct child alone, whoever still holds its pipes; return its exit code."""
        return await asyncio.shield(self._exited)

    async def finished(self) -> int | None:
        """Wait until the direct child has exited and its output has ended or was drained; return the exit code.

        Raises what the sink raised.
        """
        await asyncio.shield(self._finished)
        return self.exit_code

    async def read(self) -> Chunk | None:
        """The next chunk of output, or None when there will be no more. Safe to cancel and to time out."""
        while not self._chunks:
            if self._finished.done() or not self._open_streams:
                return None
            self._news.clear()
            await self._news.wait()
        chunk = self._chunks.popleft()
        self._unread -= len(chunk.data)
        if self._paused and self._unread < HIGH_WATER // 2:
            self._paused = False
            self._child.resume_reading()
        return chunk

    def __aiter__(self) -> Process:
        return self

    async def __anext__(self) -> Chunk:
        chunk = await self.read()
        if chunk is None:
            raise StopAsyncIteration
        return chunk

    async def write(self, data: bytes) -> None:
        """Write to the child's standard input and wait until it is taken. Raises `StdinClosed`."""
        try:
            await self._child.write(data)
        except BrokenPipeError as error:
            raise StdinClosed(self.spawn.argv[0]) from error

    def close_stdin(self) -> None:
        """Let the child see the end of its input, after everything written so far."""
        self._child.close_stdin()

    async def kill_tree(self, grace: float | None = None) -> tuple[int, ...]:
        """Kill the direct child and every descendant, and wait for them to be gone; return the survivors' pids.

        With `grace` they are asked first (SIGTERM) and killed after that many seconds. Windows has no such request for
        programs without a window, so there the kill is always immediate.
        """
        if grace is not None and grace > 0:
            self.tree.terminate()
            await self._wait_until_empty(grace)
        deadline = time.monotonic() + KILL_LIMIT
        for pause in backoff():
            alive = self.tree.kill()
            if not alive or time.monotonic() >= deadline:
                return alive
            await asyncio.sleep(pause)
        raise AssertionError("backoff never ends")

    async def close(self, leftovers: Leftovers = Leftovers.KILL) -> tuple[int, ...]:
        """Kill what is left unless it is to be kept, release everything, return the survivors' pids."""
        if self._closed:
            return ()
        keep = leftovers is Leftovers.KEEP and not self.running
        try:
            survivors = () if keep else await self.kill_tree()
            if self.running and not survivors:
                await self.wait()
        except BaseException:
            self.abort()
            raise
        self._release(keep=keep)
        return survivors

    def abort(self) -> tuple[int, ...]:
        """As `close`, without awaiting: for cleaning up while a cancellation is under way."""
        if self._closed:
            return ()
        survivors = kill_and_wait((self.tree,))
        self._release(keep=False)
        return survivors

    async def __aenter__(self) -> Process:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            await self.close()
        else:
            self.abort()

    # What the child reports.

    def output(self, stream: Stream, data: bytes) -> None:
        self._last_byte = time.monotonic()
        chunk = Chunk(stream, data)
        if self._sink is None:
            self._keep(chunk)
            return
        try:
            self._sink(chunk)
        except Exception as error:
            # It must end this call, not the event loop's callback.
            self._finish(error)

    def ended(self, stream: Stream) -> None:
        self._open_streams.discard(stream)
        self._news.set()
        self._finish_if_over()

    def exited(self, exit_code: int | None) -> None:
        if self._exited.done():
            return
        self._exit_time = time.monotonic()
        self._exited.set_result(exit_code)
        self._finish_if_over()
        if not self._finished.done():
            self._arm_drain(min(self._drain.idle, self._drain.cap))

    # Draining.

    def _keep(self, chunk: Chunk) -> None:
        self._chunks.append(chunk)
        self._unread += len(chunk.data)
        self._news.set()
        if self._unread >= HIGH_WATER and not self._paused:
            self._paused = True
            self._child.pause_reading()

    def _arm_drain(self, delay: float) -> None:
        self._drain_timer = self._loop.call_later(delay, self._check_drain)

    def _check_drain(self) -> None:
        now = time.monotonic()
        if self._paused:
            # The reader is behind; what waits in the pipe is not late.
            self._exit_time = self._last_byte = now
        cap_left = self._exit_time + self._drain.cap - now
        idle_left = max(self._last_byte, self._exit_time) + self._drain.idle - now
        remaining = min(cap_left, idle_left)
        if remaining > 0:
            self._arm_drain(remaining)
            return
        self.pipe_held = True
        self._finish(None)

    def _finish_if_over(self) -> None:
        if not self._open_streams and self._exited.done():
            self._finish(None)

    def _finish(self, error: Exception | None) -> None:
        if self._finished.done():
            return
        if self._drain_timer is not None:
            self._drain_timer.cancel()
        self._child.stop_reading()
        self._open_streams.clear()
        if error is None:
            self._finished.set_result(None)
        else:
            self._finished.set_exception(error)
        self._news.set()

    def _release(self, *, keep: bool) -> None:
        if self._closed:
            return
        self._closed = True
        self._child.close()
        if not self._exited.done():
            self._exited.set_result(None)
        self._finish(None)
        if keep:
            live_trees.keep(self.tree)
        else:
            live_trees.remove(self.tree)

    async def _wait_until_empty(self, limit: float) -> None:
        deadline = time.monotonic() + limit
        for pause in backoff():
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not self.tree.members():
                return
            await asyncio.sleep(min(pause, remaining))


async def start(spawn: Spawn, *, on_output: Sink | None = None, drain: Drain = DEFAULT_DRAIN) -> Process:
    """Start `spawn`. With `on_output` the output goes there, otherwise to `Process.read`. Raises a `LaunchError`."""
    return Process(spawn, on_output, drain)
