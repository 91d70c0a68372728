"""The steps that every run is made of: messages begin and are stored, turns open and close."""

from typing import TypeVar, cast

from pi_api.events import MessageEnd, MessageStart, Notice, TurnEnd, TurnStart
from pi_api.messages import AssistantMessage, BashExecution, CustomMessage, ToolResultMessage, UserMessage

from pi_agent.state import LoopConfig, RunState

M = TypeVar("M", UserMessage, AssistantMessage, ToolResultMessage, CustomMessage, BashExecution)


async def begin(config: LoopConfig, run: RunState, message: AssistantMessage) -> None:
    """Announce an answer that is about to arrive."""
    run.opened = message
    await config.bus.emit(MessageStart(message))


async def store(config: LoopConfig, run: RunState, message: M) -> M:
    """Announce a message, let plugins have their say, and store what became of it; returns that.

    What follows the last `await` here happens as one step, also for a caller that goes on without awaiting.
    """
    if run.opened is None:
        run.opened = message
        await config.bus.emit(MessageStart(message))
    final = cast("M", (await config.bus.emit(MessageEnd(message))).message)
    if type(final) is not type(message) or _call_of(final) != _call_of(message):
        text = f"a plugin tried to turn a {type(message).__name__} into another message; that was ignored"
        await config.bus.emit(Notice(text))
        final = message
    problem = config.record(final)
    if problem is not None:
        run.problems.append(problem)
    run.added.append(final)
    run.opened = None
    return final


async def say_pending(config: LoopConfig, run: RunState) -> None:
    """Store what was said and not stored yet."""
    while run.pending:
        await store(config, run, cast("UserMessage", run.pending[0]))
        del run.pending[0]


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
