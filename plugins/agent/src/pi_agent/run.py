"""One run at a time: started, retried, aborted, and always ended."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from functools import partial

from pi_api.errors import BusyError, ErrorKind, PiError, ProviderFailure
from pi_api.events import AgentEnd, AgentStart, Notice, Retry, RetryEnd, RetryStart, RunFailed
from pi_api.messages import Message
from pi_kernel.bus import Bus
from pi_kernel.tree.errors import SessionError

from pi_agent.closing import LEFT_BEHIND, ImpatientBus, close_out
from pi_agent.loop import run_loop
from pi_agent.say import close_turn, settled, steady
from pi_agent.stall import StallGuard
from pi_agent.state import LoopConfig, RunState

Prepare = Callable[[], Awaitable[list[Message] | None]]
"""Gives the messages a run starts with; `None` when there is nothing to run."""

CANCEL_EVERY = 0.5
GIVE_UP_AFTER = 20.0
"""Seconds between cancellations of a run that is to be aborted, and after which it is left behind."""


class Runner:
    """Runs prompts, one at a time.

    `configure` gives the loop's world, `guard` a stall guard for each prompt, `waiting` the queued messages a new run
    is to begin with, `drop` takes a failed answer out of the live context before it is asked for again.
    """

    def __init__(
        self,
        bus: Bus,
        configure: Callable[[], LoopConfig],
        guard: Callable[[], StallGuard],
        waiting: Callable[[], list[Message]],
        drop: Callable[[Message], None],
    ) -> None:
        self._bus = bus
        self._configure = configure
        self._guard = guard
        self._waiting = waiting
        self._drop = drop
        self._task: asyncio.Task[None] | None = None
        self._within: ContextVar[object] = ContextVar("run")
        self._token: object = None
        self._abort = asyncio.Event()

    @property
    def busy(self) -> bool:
        return self._task is not None

    async def run(self, prepare: Prepare) -> None:
        """Run to the end; `BusyError` while another run is under way. Cancelling this aborts the run first."""
        if self._task is not None:
            raise BusyError("the session is busy; wait, or say whether the message is to steer or to follow up")
        self._abort = asyncio.Event()
        task = self._task = asyncio.create_task(self._whole(prepare))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            self._abort.set()
            await asyncio.wait({task})
            if not task.cancelled():
                task.exception()  # retrieved, so that asyncio does not complain about it later
            raise

    async def abort(self) -> None:
        """Stop the run, if there is one, and wait until it has ended (see `wait_idle`)."""
        self._abort.set()
        await self.wait_idle()

    async def wait_idle(self) -> None:
        """Wait for the end of the run; code that belongs to the run itself does not wait."""
        while self._task is not None and self._within.get(None) is not self._token:
            await asyncio.wait({self._task})

    async def _whole(self, prepare: Prepare) -> None:
        # Handlers and tools run in contexts that descend from this one, which is how they are known later.
        self._token = object()
        self._within.set(self._token)
        try:
            while await self._one(prepare) and (messages := self._waiting()):
                prepare = _given(messages)
        finally:
            self._task = None

    async def _one(self, prepare: Prepare) -> bool:
        """One run with its retries; true when it ended by itself and well."""
        run = RunState(self._guard())
        config = self._configure()
        guarded = replace(config, record=partial(_record, run, config.record))
        inner = asyncio.create_task(self._attempts(guarded, run, prepare))
        await self._until_ended(inner)
        if not inner.done():
            run = await self._leave_behind(run)
        error = inner.exception() if inner.done() and not inner.cancelled() else None
        if run.ended:
            await settled(run)
        elif run.accepted:
            error = await self._end(config, run, error)
        if error is not None:
            raise error
        return run.failure is None and not self._abort.is_set()

    async def _attempts(self, config: LoopConfig, run: RunState, prepare: Prepare) -> None:
        messages = await prepare()
        if messages is None:
            return
        run.pending, run.accepted = messages, True
        while True:
            run.agent_open = True
            await steady(run, self._bus.emit(AgentStart()))
            run.failure = await run_loop(config, run)
            if run.failure is None or not await self._again(run, run.failure):
                break
        run.ended = True
        await steady(run, self._bus.emit(AgentEnd(tuple(run.added))))

    async def _again(self, run: RunState, failure: ProviderFailure) -> bool:
        """Ask whoever owns retries; wait as told and return true, or end retrying and return false."""
        failed = run.answered
        assert failed is not None
        retry = None
        if failure.kind is not ErrorKind.ABORTED:
            retry = await self._bus.emit(RunFailed(failure, failed, run.attempt + 1))
        if not isinstance(retry, Retry):
            if run.attempt:
                attempt, run.attempt = run.attempt, 0
                await steady(run, self._bus.emit(RetryEnd(False, attempt, failure.message)))
            return False
        added, run.added, run.agent_open = tuple(run.added), [], False
        run.attempt += 1
        self._drop(failed)
        await steady(run, self._bus.emit(AgentEnd(added, will_retry=True)))
        delay = max(0.0, retry.delay)
        await steady(run, self._bus.emit(RetryStart(run.attempt, retry.max_attempts, delay, failure.message)))
        await asyncio.sleep(delay)
        return True

    async def _until_ended(self, inner: asyncio.Task[None]) -> None:
        """Wait for the run; once it is to be aborted, cancel it until it obeys, or long enough."""
        loop = asyncio.get_running_loop()
        stop = asyncio.create_task(self._abort.wait())
        end = 0.0
        while not inner.done():
            if self._abort.is_set():
                end = end or loop.time() + GIVE_UP_AFTER
                if loop.time() >= end:
                    break
                inner.cancel()
            try:
                await asyncio.wait(
                    {inner} if end else {inner, stop},
                    timeout=CANCEL_EVERY if end else None,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            except asyncio.CancelledError:
                self._abort.set()
        stop.cancel()

    async def _leave_behind(self, run: RunState) -> RunState:
        """A handler ignores cancellation: go on with a copy of the state, and let the original store nothing more."""
        run.left = True
        await ImpatientBus(self._bus).emit(Notice(LEFT_BEHIND, "error"))
        return replace(run, pending=list(run.pending), added=list(run.added), left=False)

    async def _end(self, config: LoopConfig, run: RunState, error: BaseException | None) -> BaseException | None:
        """End a run that was broken off; when that was an error of our own or of the disk, store nothing more."""
        bus = ImpatientBus(self._bus)
        try:
            if error is None:
                await close_out(config, run)
        except (PiError, SessionError) as raised:
            error = raised
        if error is not None and run.turn_open:
            await close_turn(replace(config, bus=bus), run)
        run.ended = True
        await bus.emit(AgentEnd(tuple(run.added)))
        return error


def _record(run: RunState, record: Callable[[Message], str | None], message: Message) -> str | None:
    if run.left:
        raise asyncio.CancelledError
    return record(message)


def _given(messages: list[Message]) -> Prepare:
    async def prepare() -> list[Message]:
        return messages

    return prepare
