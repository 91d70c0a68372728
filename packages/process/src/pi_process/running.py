"""One call from start to end: run a program, stop it when told to, say how it ended."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Protocol

from pi_process.errors import LaunchError
from pi_process.outcome import Cause, Outcome
from pi_process.process import Process, start
from pi_process.spawn import DEFAULT_DRAIN, Chunk, Drain, Leftovers, Sink, Spawn, Stream


class Cancel(Protocol):
    """A request to stop, as `asyncio.Event` makes it."""

    def is_set(self) -> bool: ...

    async def wait(self) -> object: ...


async def run(
    spawn: Spawn,
    *,
    timeout: float | None = None,
    cancel: Cancel | None = None,
    on_output: Sink | None = None,
    drain: Drain = DEFAULT_DRAIN,
    leftovers: Leftovers = Leftovers.KILL,
    grace: float | None = None,
) -> Outcome:
    """Run `spawn` to its end, which always comes.

    `timeout` is in seconds and counts until the direct child exits. On timeout or when `cancel` is set the whole tree
    dies, after `grace` seconds' notice if given. Output nobody asked for is read and dropped, so that the child never
    blocks. A start that fails is an `Outcome` as well. Cancelling the task kills the tree and raises `CancelledError`;
    so does an `on_output` that raises, with its own error.
    """
    if timeout is not None and timeout < 0:
        raise ValueError(f"timeout is in seconds and not negative, got {timeout}; pass None for no limit")
    began = time.monotonic()
    if cancel is not None and cancel.is_set():
        return Outcome(Cause.CANCELLED, started=False)
    try:
        process = await start(spawn, on_output=on_output or _drop, drain=drain)
    except LaunchError as error:
        return Outcome(Cause.LAUNCH_FAILED, started=False, duration=time.monotonic() - began, failure=error)
    try:
        cause = await _first_cause(process, timeout, cancel)
        survivors = () if cause is Cause.EXITED else await process.kill_tree(grace)
        if not survivors:
            await process.finished()
        survivors += await process.close(leftovers)
    except BaseException:
        process.abort()
        raise
    return Outcome(
        cause,
        started=True,
        exit_code=process.exit_code,
        pid=process.pid,
        duration=time.monotonic() - began,
        pipe_held=process.pipe_held,
        survivors=tuple(dict.fromkeys(survivors)),
    )


async def _first_cause(process: Process, timeout: float | None, cancel: Cancel | None) -> Cause:
    exited = asyncio.ensure_future(process.wait())
    failed = asyncio.ensure_future(process.finished())
    cancelled = asyncio.ensure_future(cancel.wait()) if cancel is not None else None
    waiting = {task for task in (exited, failed, cancelled) if task is not None}
    try:
        done, _ = await asyncio.wait(waiting, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        if failed in done:
            failed.result()
        if exited in done or failed in done:
            return Cause.EXITED
        return Cause.CANCELLED if done else Cause.TIMEOUT
    finally:
        for task in waiting:
            task.cancel()


def _drop(chunk: Chunk) -> None:
    """A sink for output nobody wants."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A finished run with what it printed; `truncated` says that bytes beyond the limit were dropped."""

    outcome: Outcome
    stdout: bytes
    stderr: bytes
    truncated: bool


async def capture(
    spawn: Spawn,
    *,
    timeout: float | None = None,
    cancel: Cancel | None = None,
    limit: int = 1 << 20,
) -> Captured:
    """Run `spawn` and keep the first `limit` bytes of each stream: for probes and small helper programs."""
    kept = {stream: bytearray() for stream in Stream}
    truncated = False

    def keep(chunk: Chunk) -> None:
        nonlocal truncated
        buffer = kept[chunk.stream]
        room = limit - len(buffer)
        truncated |= len(chunk.data) > room
        buffer += chunk.data[:room]

    outcome = await run(spawn, timeout=timeout, cancel=cancel, on_output=keep)
    return Captured(outcome, bytes(kept[Stream.STDOUT]), bytes(kept[Stream.STDERR]), truncated)
