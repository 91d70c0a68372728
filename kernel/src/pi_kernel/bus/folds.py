"""The fold rules: one coroutine per kind of event, all of the same shape, so that the bus can pick by kind.

Each takes the event, the subscriptions in order, and `ask`, which calls one handler and raises `HandlerRaised` (already
recorded) when the handler did.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from pi_kernel.bus.events import Block, Chain, Collect, Event, First, Gate, Given, Handled, Observe, Piped, Pipeline


class HandlerRaised(Exception):
    """A handler raised, or answered with something its event cannot use; `error` says what."""

    def __init__(self, plugin: str, error: BaseException) -> None:
        super().__init__(f"{plugin}: {type(error).__name__}: {error}")
        self.plugin = plugin
        self.error = error


class Asked(Protocol):
    """A subscription as the fold rules see it."""

    @property
    def plugin(self) -> str: ...


Ask = Callable[[Any, Event, tuple[type, ...]], Awaitable[Any]]
Fold = Callable[[Any, Sequence[Asked], Ask], Awaitable[Any]]


async def observe(event: Observe, handlers: Sequence[Asked], ask: Ask) -> None:
    """Tell all; ignore answers and failures."""
    for handler in handlers:
        try:
            await ask(handler, event, ())
        except HandlerRaised:
            continue


async def gate(event: Gate, handlers: Sequence[Asked], ask: Ask) -> Block | None:
    """Stop at the first `Block`; a handler that raised is one."""
    for handler in handlers:
        try:
            answer = await ask(handler, event, (Block,))
        except HandlerRaised as raised:
            return Block(f"plugin {raised.plugin!r} failed while deciding: {raised.error}", raised.plugin)
        if answer is not None:
            block: Block = replace(answer, plugin=handler.plugin)
            return block
    return None


async def chain(event: Chain, handlers: Sequence[Asked], ask: Ask) -> Chain:
    """Hand the event, as changed so far, from one to the next."""
    for handler in handlers:
        try:
            event = await ask(handler, event, (type(event),)) or event
        except HandlerRaised:
            continue
    return event


async def collect(event: Collect[Any], handlers: Sequence[Asked], ask: Ask) -> list[Given[Any]]:
    """Keep every answer with its plugin."""
    given: list[Given[Any]] = []
    for handler in handlers:
        try:
            answer = await ask(handler, event, ())
        except HandlerRaised:
            continue
        if answer is not None:
            given.append(Given(answer, handler.plugin))
    return given


async def first(event: First[Any], handlers: Sequence[Asked], ask: Ask) -> Any:
    """Stop at the first answer."""
    for handler in handlers:
        try:
            answer = await ask(handler, event, ())
        except HandlerRaised:
            continue
        if answer is not None:
            return answer
    return None


async def pipeline(event: Pipeline, handlers: Sequence[Asked], ask: Ask) -> Piped[Any]:
    """Continue, transform or stop."""
    for handler in handlers:
        try:
            answer = await ask(handler, event, (type(event), Handled))
        except HandlerRaised:
            continue
        if isinstance(answer, Handled):
            return Piped(event, handler.plugin)
        event = answer or event
    return Piped(event)


FOLDS: dict[type[Event], Fold] = {
    Observe: observe,
    Gate: gate,
    Chain: chain,
    Collect: collect,
    First: first,
    Pipeline: pipeline,
}


def fold_of(event_type: type[Event]) -> Fold:
    """The fold rule of an event type; `TypeError` when it derives from none or several of the six kinds."""
    kinds = [kind for kind in FOLDS if issubclass(event_type, kind)]
    if len(kinds) != 1:
        raise TypeError(f"{event_type.__name__} must derive from exactly one of {', '.join(k.__name__ for k in FOLDS)}")
    return FOLDS[kinds[0]]
