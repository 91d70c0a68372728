"""Bringing a run that was broken off to an orderly end, so that its session reopens and replays."""

import asyncio
from dataclasses import replace
from typing import Any

from pi_api.errors import ErrorKind
from pi_api.events import AgentStart, Notice, RetryEnd
from pi_api.messages import AssistantMessage
from pi_api.usage import Usage
from pi_kernel.bus import Bus

from pi_agent.batch import finish
from pi_agent.branch import failed
from pi_agent.calls import failure
from pi_agent.say import close_turn, open_turn, settled, store_answer, store_next
from pi_agent.state import Batch, LoopConfig, RunState
from pi_agent.texts import text

HANDLER_DEADLINE = 5.0
"""Seconds the handlers of one event may take while a run is being ended."""

TOOL_GRACE = 10.0
"""Seconds a cancelled tool may take to clean up before it is left behind."""

ABORTED = "the run was aborted"
LEFT_BEHIND = "something ignores being cancelled and was left running; an event handler of a plugin is at fault"


class ImpatientBus(Bus):
    """A bus whose handlers have a deadline; when it is over the event counts as unanswered."""

    def __init__(self, bus: Bus, seconds: float | None = None) -> None:
        super().__init__()
        self._bus = bus
        self._seconds = HANDLER_DEADLINE if seconds is None else seconds

    async def emit(self, event: Any) -> Any:
        telling = asyncio.create_task(self._bus.emit(event))
        await asyncio.wait({telling}, timeout=self._seconds)
        if telling.done() and not telling.cancelled():
            return telling.result()
        telling.cancel()
        return event


async def close_out(config: LoopConfig, run: RunState) -> None:
    """Store and announce what is missing for the run to have ended properly.

    Every call gets its result (what the tool answered, or that it was interrupted), what was said is stored, and an
    answer with the stop reason `aborted` stands last, unless the run had its last answer already. Nothing here waits
    for long.
    """
    config = replace(config, bus=ImpatientBus(config.bus))
    if not await settled(run):
        await config.bus.emit(Notice(LEFT_BEHIND, "error"))
    if run.batch is None and run.turn_open and run.answered is not None and not (run.results or failed(run.answered)):
        run.batch = Batch(run.answered.tool_calls)
    if run.batch is not None:
        await _close_batch(config, run, run.batch)
    if run.attempt:
        attempt, run.attempt = run.attempt, 0
        await config.bus.emit(RetryEnd(False, attempt, ABORTED))
    if not run.agent_open:
        run.agent_open = True
        await config.bus.emit(AgentStart())
    if run.turn_open and run.answered is not None:
        await close_turn(config, run)
    if _complete(run):
        return
    if not run.turn_open:
        await open_turn(config, run)
    while run.pending:
        await store_next(config, run)
    await store_answer(config, run, _aborted(config, run))
    await close_turn(config, run)


async def _close_batch(config: LoopConfig, run: RunState, batch: Batch) -> None:
    await _stop_tools(batch)
    for at in range(len(batch.calls)):
        started = at < batch.started
        if at not in batch.outcomes:
            batch.outcomes[at] = failure(text("interrupted" if started else "not_started"))
        if not started:
            batch.ended.add(at)
        await finish(config, run, batch, at, batch.outcomes[at])
    run.results, run.batch = tuple(batch.stored), None


async def _stop_tools(batch: Batch) -> None:
    """Cancel what still runs; a tool that answers all the same has its answer kept."""
    tasks = {task: at for at, task in batch.running.items()}
    for task in tasks:
        task.cancel()
    done, _ = await asyncio.wait(tasks, timeout=TOOL_GRACE) if tasks else (set(), set())
    for task in done:
        if not task.cancelled() and task.exception() is None:
            batch.outcomes[tasks[task]] = task.result()
    batch.running.clear()


def _complete(run: RunState) -> bool:
    """The model had said its last word and nobody had said another since."""
    answer = run.answered
    return answer is not None and not (answer.tool_calls or failed(answer) or run.pending)


def _aborted(config: LoopConfig, run: RunState) -> AssistantMessage:
    fields: dict[str, Any] = {"error_message": ABORTED, "error_kind": str(ErrorKind.ABORTED)}
    if run.answer is not None:
        return run.answer.message("aborted", **fields)
    model = config.surface().model
    return AssistantMessage((), model.api, model.provider, model.id, Usage(), "aborted", config.clock(), **fields)
