"""The bus: who listens to which event, and the one place where a handler is called."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeVar, overload

from pi_kernel.bus.events import Block, Chain, Collect, Event, First, Gate, Given, Observe, Piped, Pipeline
from pi_kernel.bus.folds import Fold, HandlerRaised, fold_of

T = TypeVar("T")
E = TypeVar("E", bound=Event)
ChainT = TypeVar("ChainT", bound=Chain)
PipelineT = TypeVar("PipelineT", bound=Pipeline)


@dataclass(frozen=True, slots=True)
class HandlerFailure:
    """A handler that raised, or whose answer its event cannot use: which plugin, on which event, what error."""

    plugin: str
    event: str
    error: BaseException

    def __str__(self) -> str:
        reason = " ".join(f"{type(self.error).__name__}: {self.error}".split())
        return (
            f"plugin {self.plugin!r} failed on {self.event}: {reason} "
            f"(what it was to do was not done; `pi config disable {self.plugin}` takes it out of use)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Subscription:
    """One handler of one event type; `cancel()` ends it, twice is harmless."""

    event_type: type[Event]
    handler: Callable[[Any], Any]
    plugin: str
    bus: "Bus"

    def cancel(self) -> None:
        self.bus.cancel(self)


class Bus:
    """Calls the handlers of an event in subscription order and folds their answers by the event's kind.

    Sync and async handlers are alike. `report` receives every `HandlerFailure`; nothing a handler raises, `SystemExit`
    included, reaches the emitter. Cancellation and `KeyboardInterrupt` pass through.
    """

    def __init__(self, report: Callable[[HandlerFailure], None] | None = None) -> None:
        self.failures: list[HandlerFailure] = []
        self._report = report or self.failures.append
        self._handlers: dict[type[Event], list[Subscription]] = {}
        self._folds: dict[type[Event], Fold] = {}

    def on(self, event_type: type[E], handler: Callable[[E], Any], *, plugin: str = "host") -> Subscription:
        """Call `handler` for every later event of exactly this type; `plugin` is who answers for it."""
        if event_type not in self._folds:
            self._folds[event_type] = fold_of(event_type)
        subscription = Subscription(event_type, handler, plugin, self)
        self._handlers.setdefault(event_type, []).append(subscription)
        return subscription

    def cancel(self, subscription: Subscription) -> None:
        handlers = self._handlers.get(subscription.event_type, [])
        if subscription in handlers:
            handlers.remove(subscription)

    def forget(self, plugin: str) -> None:
        """End every subscription of a plugin."""
        for handlers in self._handlers.values():
            handlers[:] = [handler for handler in handlers if handler.plugin != plugin]

    def scoped(self, plugin: str) -> "PluginBus":
        """This bus as one plugin is given it: subscriptions carry its name."""
        return PluginBus(self, plugin)

    @overload
    async def emit(self, event: Observe) -> None: ...
    @overload
    async def emit(self, event: Gate) -> Block | None: ...
    @overload
    async def emit(self, event: ChainT) -> ChainT: ...
    @overload
    async def emit(self, event: Collect[T]) -> list[Given[T]]: ...
    @overload
    async def emit(self, event: First[T]) -> T | None: ...
    @overload
    async def emit(self, event: PipelineT) -> Piped[PipelineT]: ...
    async def emit(self, event: Event) -> Any:
        """Tell every handler, in order, and return what the event's kind makes of the answers."""
        event_type = type(event)
        fold = self._folds.get(event_type) or fold_of(event_type)
        return await fold(event, tuple(self._handlers.get(event_type, ())), self._ask)

    async def _ask(self, subscription: Subscription, event: Event, accepted: tuple[type, ...]) -> Any:
        try:
            answer = subscription.handler(event)
            if isawaitable(answer):
                answer = await answer
            if accepted and not (answer is None or isinstance(answer, accepted)):
                names = " or ".join(kind.__name__ for kind in accepted)
                raise TypeError(
                    f"handlers of {type(event).__name__} return None or {names}, not {type(answer).__name__}"
                )
        except (Exception, SystemExit) as error:
            self._report(HandlerFailure(subscription.plugin, type(event).__name__, error))
            raise HandlerRaised(subscription.plugin, error) from error
        return answer


class PluginBus(Bus):
    """A view of a bus whose subscriptions are attributed to one plugin, whatever the plugin says."""

    def __init__(self, bus: Bus, plugin: str) -> None:
        super().__init__(bus._report)
        self._handlers = bus._handlers
        self._folds = bus._folds
        self._plugin = plugin

    def on(self, event_type: type[E], handler: Callable[[E], Any], *, plugin: str = "") -> Subscription:
        return super().on(event_type, handler, plugin=self._plugin)
