"""The steps that every run is made of: messages begin and are stored, turns open and close.

An abort lets a step that has begun come to its end, so that every handler is told of an event once, or not at all.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar, cast

from pi_api.events import MessageEnd, MessageStart, Notice, RetryEnd, TurnEnd, TurnStart
from pi_api.messages import AssistantMessage, CustomMessage, Message, ToolResultMessage, UserMessage

from pi_agent.branch import failed
from pi_agent.state import LoopConfig, RunState

M = TypeVar("M", UserMessage, AssistantMessage, ToolResultMessage, CustomMessage)
T = TypeVar("T")

STEP_DEADLINE = 5.0
"""Seconds a step may still take once its run is to be aborted."""


async def steady(run: RunState, step: Coroutine[Any, Any, T]) -> T:
    """Do a step that is not broken off when the run is cancelled; whoever ends the run waits with `settled`."""
    try:
        not_cancelled()
    except asyncio.CancelledError:
        step.close()
        raise
    task = asyncio.create_task(step)
    run.step = task
    result = await asyncio.shield(task)
    run.step = None
    return result


def not_cancelled() -> None:
    """Raise `CancelledError` in a task that was cancelled, also when a handler has swallowed that."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def settled(run: RunState) -> bool:
    """Let the step under way end, if there is one; raises what it raised.

    It is cancelled when it takes too long; false when it ignores even that. Then it may store nothing any more.
    """
    step, run.step = run.step, None
    if step is None:
        return True
    await asyncio.wait({step}, timeout=STEP_DEADLINE)
    if step.done():
        step.result()
        return True
    step.cancel()
    await asyncio.wait({step}, timeout=STEP_DEADLINE)
    run.opened = replace(run.opened) if run.opened is not None else None
    return step.done()


async def begin(config: LoopConfig, run: RunState, message: Message) -> None:
    """Announce a message."""
    run.opened = message
    await config.bus.emit(MessageStart(message))


async def store(config: LoopConfig, run: RunState, message: M, then: Callable[[M], None] = lambda kept: None) -> None:
    """Announce a message, let plugins have their say, and store what became of it; `then` is given that at once."""
    if run.opened is None:
        await begin(config, run, message)
    opened = run.opened
    final = cast("M", (await config.bus.emit(MessageEnd(message))).message)
    if run.opened is not opened:
        raise asyncio.CancelledError  # the run was ended without this step
    if type(final) is not type(message) or _call_of(final) != _call_of(message):
        text = f"a plugin tried to turn a {type(message).__name__} into another message; that was ignored"
        run.problems.append(text)
        final = message
    problem = config.record(final)
    run.added.append(final)
    run.opened = None
    then(final)
    if problem is not None:
        run.problems.append(problem)


async def store_next(config: LoopConfig, run: RunState) -> None:
    """Store the first of the messages that were said and not stored yet."""

    def kept(final: UserMessage) -> None:
        del run.pending[0]

    await store(config, run, cast("UserMessage", run.pending[0]), kept)


async def store_answer(config: LoopConfig, run: RunState, answer: AssistantMessage) -> None:
    """Store the answer of the open turn; a good one ends retrying."""

    def kept(final: AssistantMessage) -> None:
        run.answered, run.answer = final, None

    await store(config, run, answer, kept)
    if run.attempt and run.answered is not None and not failed(run.answered):
        attempt, run.attempt = run.attempt, 0
        await config.bus.emit(RetryEnd(True, attempt))


async def open_turn(config: LoopConfig, run: RunState) -> None:
    """Begin a turn."""
    run.turn_open, run.answered, run.results = True, None, ()
    run.turns += 1
    await config.bus.emit(TurnStart(run.turns - 1, config.clock()))


async def close_turn(config: LoopConfig, run: RunState) -> None:
    """End the open turn; its answer has been stored."""
    run.turn_open = False
    while run.problems:
        await config.bus.emit(Notice(run.problems.pop(0)))
    if run.answered is not None:
        await config.bus.emit(TurnEnd(run.turns - 1, run.answered, run.results))


def _call_of(message: object) -> str | None:
    return message.tool_call_id if isinstance(message, ToolResultMessage) else None
