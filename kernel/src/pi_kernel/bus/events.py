"""The six kinds of event. An event is a frozen dataclass that derives from exactly one of them.

A handler is a function or a coroutine function of one argument, the event. What it may return, and what `Bus.emit`
makes of the answers, is the fold rule of the event's kind.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class Event:
    """Base of the six kinds; derive from one of those, not from this."""

    __slots__ = ()


class Observe(Event):
    """Handlers are told, their answers ignored; one that raises is recorded and the others still run (fail open)."""

    __slots__ = ()


class Gate(Event):
    """The first handler that returns a `Block` ends it; a handler that raises blocks too (fail closed)."""

    __slots__ = ()


class Chain(Event):
    """A handler may return a changed copy of the event (`dataclasses.replace`), which the next one sees.

    `None` keeps the event; a handler that raises, or returns another type, is recorded and skipped.
    """

    __slots__ = ()


class Collect(Event, Generic[T]):
    """Every answer that is not `None` is kept, in handler order, with the plugin that gave it."""

    __slots__ = ()


class First(Event, Generic[T]):
    """The first answer that is not `None` wins; later handlers are not called."""

    __slots__ = ()


class Pipeline(Event):
    """`None` continues, a changed copy transforms, `Handled()` stops; a handler that raises is recorded and skipped."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A gate's refusal: `reason` is shown to the model or the user; the bus fills in `plugin`."""

    reason: str
    plugin: str = ""


@dataclass(frozen=True, slots=True)
class Given(Generic[T]):
    """An answer and the name of the plugin that gave it."""

    value: T
    plugin: str


@dataclass(frozen=True, slots=True)
class Handled:
    """A pipeline handler's word that nothing more is to be done with the event."""


@dataclass(frozen=True, slots=True)
class Piped(Generic[T]):
    """What came out of a pipeline: the event, and the plugin that handled it (`None`: nobody did)."""

    event: T
    handled_by: str | None = None
