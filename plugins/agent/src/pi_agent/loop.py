"""The loop: ask the model, run the tools it calls, ask again, until nothing is left to do."""

from collections.abc import Callable
from functools import partial

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.events import BuildContext
from pi_api.messages import AssistantMessage, CustomMessage

from pi_agent.answer import Answer, read_answer
from pi_agent.batch import run_batch
from pi_agent.branch import failed
from pi_agent.queues import Waiting
from pi_agent.say import begin, close_turn, not_cancelled, open_turn, steady, store_answer, store_next
from pi_agent.state import LoopConfig, RunState, Surface

CLOSING = "pi.closing"


async def run_loop(config: LoopConfig, run: RunState) -> ProviderFailure | None:
    """Run turns until the model has nothing left to call and nothing waits; the failure when a request failed.

    `run.pending` is said first. Steering messages are taken at the start and after each turn, follow-ups when the run
    would end. Everything is stored and announced on the way; a cancelled loop leaves `run` telling where it stood.
    """
    await _take(config, run, config.take_steering)
    while True:
        await steady(run, open_turn(config, run))
        while run.pending:
            await steady(run, store_next(config, run))
        surface = config.surface()
        failure = await _ask(config, run, surface)
        if failure is not None or run.answered is None:
            await steady(run, close_turn(config, run))
            return failure
        answer = run.answered
        done = await run_batch(config, run, answer, surface.tools) or not answer.tool_calls
        await steady(run, close_turn(config, run))
        if run.closing:
            return None
        _watch(config, run, done)
        await _take(config, run, config.take_steering)
        if done and not run.pending:
            await _take(config, run, config.take_follow_ups)
            if not run.pending:
                return None


async def _ask(config: LoopConfig, run: RunState, surface: Surface) -> ProviderFailure | None:
    """One request and its answer, stored."""
    context = await config.bus.emit(BuildContext(tuple(config.messages())))
    not_cancelled()
    messages = config.projection.of(context.messages, surface.model)
    request = surface.request(messages, with_tools=not run.closing)
    run.answer = Answer(surface.model, config.clock())
    starting = partial(_begin_answer, config, run, run.answer.message("stop"))
    run.answer.final, failure = await read_answer(surface.provider, request, run.answer, config.bus, starting)
    await steady(run, store_answer(config, run, run.answer.final))
    assert run.answered is not None
    if failure is None and failed(run.answered):
        # A plugin turned the answer into a failure.
        text = run.answered.error_message or "a plugin rejected the answer"
        failure = ProviderFailure(_kind(run.answered.error_kind), text)
    return failure


async def _begin_answer(config: LoopConfig, run: RunState, message: AssistantMessage) -> None:
    await steady(run, begin(config, run, message))


async def _take(config: LoopConfig, run: RunState, source: Callable[[], list[Waiting]]) -> None:
    """Move waiting messages into the run; they are never in neither place."""
    taken = source()
    run.pending += taken
    if taken and config.queue_changed:
        await steady(run, config.queue_changed())


def _watch(config: LoopConfig, run: RunState, done: bool) -> None:
    """Have the run closed by one last request without tools when it gets nowhere."""
    assert run.answered is not None
    text = run.guard.after_turn(run.answered.tool_calls)
    if text is not None and not done:
        run.closing = True
        run.pending.append(CustomMessage(CLOSING, text, True, config.clock()))


def _kind(value: str | None) -> ErrorKind:
    return ErrorKind(value) if value in list(ErrorKind) else ErrorKind.UNKNOWN
