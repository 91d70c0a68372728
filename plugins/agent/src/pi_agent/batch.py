"""The tool calls of one answer: prepared one by one, run together, stored in the order the model made them."""

import asyncio
from collections.abc import Mapping

from pi_api.events import ToolEnd, ToolStart
from pi_api.messages import AssistantMessage, ToolResultMessage
from pi_api.tool import Tool, ToolResult

from pi_agent.calls import Ready, failure, prepared, run_call
from pi_agent.say import not_cancelled, steady, store
from pi_agent.state import Batch, LoopConfig, RunState
from pi_agent.texts import text


async def run_batch(config: LoopConfig, run: RunState, answer: AssistantMessage, tools: Mapping[str, Tool]) -> bool:
    """Run the calls of an answer and store their results; true when every result asks to end the run.

    With a `sequential` tool among them each call is prepared and run before the next is looked at. Otherwise all are
    prepared first, in order, and then run together.
    """
    batch = run.batch = Batch(answer.tool_calls)
    one_by_one = any(call.name in tools and tools[call.name].execution == "sequential" for call in batch.calls)
    ready: dict[int, Ready] = {}
    for at in range(len(batch.calls)):
        first = await _announced(config, run, batch, at, tools, answer)
        if isinstance(first, ToolResult):
            await steady(run, finish(config, run, batch, at, first))
        elif one_by_one:
            await _run(config, run, batch, {at: first})
        else:
            ready[at] = first
    await _run(config, run, batch, ready)
    run.results, run.batch = tuple(batch.stored), None
    return bool(batch.calls) and all(batch.outcomes[at].terminate for at in range(len(batch.calls)))


async def _announced(
    config: LoopConfig, run: RunState, batch: Batch, at: int, tools: Mapping[str, Tool], answer: AssistantMessage
) -> Ready | ToolResult:
    call = batch.calls[at]
    batch.started = at + 1
    await steady(run, config.bus.emit(ToolStart(call.id, call.name, call.arguments)))
    if run.closing:
        return failure(text("tools_gone"))
    if answer.stop_reason == "length" and answer.content[-1] is call:
        return failure(text("cut_off"))
    return await prepared(call, dict(tools), config.schemas, config.bus)


async def _run(config: LoopConfig, run: RunState, batch: Batch, ready: Mapping[int, Ready]) -> None:
    not_cancelled()
    finished: asyncio.Queue[int] = asyncio.Queue()
    try:
        for at, one in ready.items():
            task = asyncio.create_task(run_call(one, config.context(one.call, batch), config.bus))
            task.add_done_callback(lambda _, at=at: finished.put_nowait(at))  # type: ignore[misc]
            batch.running[at] = task
        for _ in ready:
            at = await finished.get()
            result = batch.running[at].result()
            batch.outcomes[at] = result
            del batch.running[at]
            await steady(run, finish(config, run, batch, at, result))
    finally:
        for task in batch.running.values():
            task.cancel()


async def finish(config: LoopConfig, run: RunState, batch: Batch, at: int, result: ToolResult) -> None:
    """End one call, and store every result whose turn has come."""
    batch.outcomes[at] = result
    if at not in batch.ended:
        batch.ended.add(at)
        await config.bus.emit(ToolEnd(batch.calls[at].id, batch.calls[at].name, result))
    while (next_one := len(batch.stored)) in batch.ended:
        await store(config, run, result_message(batch, next_one, config.clock()), batch.stored.append)


def result_message(batch: Batch, at: int, timestamp: int) -> ToolResultMessage:
    """The message that carries a result to the model and into the session."""
    call, result = batch.calls[at], batch.outcomes[at]
    return ToolResultMessage(
        call.id,
        call.name,
        result.content,
        result.is_error,
        timestamp,
        result.details,
        result.usage,
        result.error_kind,
    )
