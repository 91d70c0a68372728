"""The fold rule of each kind of event, with handlers that answer, raise, are async, or come and go."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pi_kernel.bus import (
    Block,
    Bus,
    Chain,
    Collect,
    First,
    Gate,
    Given,
    Handled,
    HandlerFailure,
    Observe,
    Piped,
    Pipeline,
)


@dataclass(frozen=True, slots=True)
class Seen(Observe):
    text: str = ""


@dataclass(frozen=True, slots=True)
class MayI(Gate):
    text: str = ""


@dataclass(frozen=True, slots=True)
class Polish(Chain):
    text: str


@dataclass(frozen=True, slots=True)
class Who(Collect[str]):
    text: str = ""


@dataclass(frozen=True, slots=True)
class Whose(First[str]):
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line(Pipeline):
    text: str


def raising(error: BaseException) -> Any:
    def handler(event: Any) -> None:
        raise error

    return handler


def adding(suffix: str) -> Any:
    return lambda event: replace(event, text=event.text + suffix)


async def late(event: Any) -> Any:
    await asyncio.sleep(0)
    return replace(event, text=event.text + "-late")


async def test_observers_run_in_order_sync_and_async_and_one_that_raises_stops_nobody() -> None:
    bus, log = Bus(), []

    async def slow(event: Seen) -> None:
        await asyncio.sleep(0)
        log.append(("slow", event.text))

    bus.on(Seen, lambda event: log.append(("first", event.text)), plugin="a")
    bus.on(Seen, raising(ValueError("no")), plugin="b")
    bus.on(Seen, slow, plugin="c")
    bus.on(Seen, lambda event: log.append(("last", event.text)), plugin="d")

    assert await bus.emit(Seen("x")) is None
    assert log == [("first", "x"), ("slow", "x"), ("last", "x")]
    assert [(failure.plugin, failure.event) for failure in bus.failures] == [("b", "Seen")]
    told = "(what it was to do was not done; `pi config disable b` takes it out of use)"
    assert str(bus.failures[0]) == f"plugin 'b' failed on Seen: ValueError: no {told}"


async def test_the_first_block_closes_a_gate_and_later_handlers_are_not_asked() -> None:
    bus, asked = Bus(), []
    bus.on(MayI, lambda event: asked.append("open"), plugin="open")
    bus.on(MayI, lambda event: Block("no"), plugin="guard")
    bus.on(MayI, lambda event: asked.append("never"), plugin="never")

    assert await bus.emit(MayI()) == Block("no", "guard")
    assert asked == ["open"]


async def test_a_gate_without_objection_is_open() -> None:
    bus = Bus()
    bus.on(MayI, lambda event: None)
    assert await bus.emit(MayI()) is None


@pytest.mark.parametrize("handler", [raising(ValueError("broken")), raising(SystemExit(3)), lambda event: True])
async def test_a_gate_whose_handler_fails_is_closed(handler: Any) -> None:
    bus = Bus()
    bus.on(MayI, handler, plugin="guard")
    block = await bus.emit(MayI())
    assert block is not None
    assert block.plugin == "guard"
    assert "guard" in block.reason
    assert len(bus.failures) == 1


async def test_each_link_of_a_chain_sees_what_the_one_before_made() -> None:
    bus = Bus()
    bus.on(Polish, adding("-1"))
    bus.on(Polish, raising(ValueError("no")), plugin="b")
    bus.on(Polish, late)
    bus.on(Polish, lambda event: "not an event", plugin="c")
    bus.on(Polish, lambda event: None)
    bus.on(Polish, adding("-2"))

    assert await bus.emit(Polish("x")) == Polish("x-1-late-2")
    assert [failure.plugin for failure in bus.failures] == ["b", "c"]


async def test_collect_keeps_every_answer_with_its_giver() -> None:
    bus = Bus()
    bus.on(Who, lambda event: "a", plugin="a")
    bus.on(Who, raising(ValueError("no")), plugin="b")
    bus.on(Who, lambda event: None, plugin="c")
    bus.on(Who, lambda event: "", plugin="d")

    assert await bus.emit(Who()) == [Given("a", "a"), Given("", "d")]


async def test_the_first_answer_wins_and_later_handlers_are_not_asked() -> None:
    bus, asked = Bus(), []
    bus.on(Whose, raising(ValueError("no")))
    bus.on(Whose, lambda event: None)
    bus.on(Whose, lambda event: "mine")
    bus.on(Whose, lambda event: asked.append("never"))

    assert await bus.emit(Whose()) == "mine"
    assert asked == []
    assert await Bus().emit(Whose()) is None


async def test_a_pipeline_transforms_until_somebody_handles_it() -> None:
    bus, asked = Bus(), []
    bus.on(Line, adding("-1"))
    bus.on(Line, raising(ValueError("no")))
    bus.on(Line, lambda event: Handled() if "stop" in event.text else None, plugin="stopper")
    bus.on(Line, lambda event: asked.append(event.text))

    assert await bus.emit(Line("go")) == Piped(Line("go-1"))
    assert await bus.emit(Line("stop")) == Piped(Line("stop-1"), "stopper")
    assert asked == ["go-1"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), asyncio.CancelledError()])
async def test_cancellation_and_interrupt_pass_through_every_kind(error: BaseException) -> None:
    for event in (Seen(), MayI(), Polish(""), Who(), Whose(), Line("")):
        bus = Bus()
        bus.on(type(event), raising(error))
        with pytest.raises(type(error)):
            await bus.emit(event)  # type: ignore[call-overload]


async def test_a_subscription_ends_when_cancelled_also_during_an_emit() -> None:
    bus, log = Bus(), []
    second = bus.on(Seen, lambda event: log.append("second"))
    second.cancel()
    second.cancel()
    first = bus.on(Seen, lambda event: (log.append("once"), first.cancel()))
    bus.on(Seen, lambda event: log.append("always"))

    await bus.emit(Seen())
    await bus.emit(Seen())
    assert log == ["once", "always", "always"]


async def test_forgetting_a_plugin_ends_all_its_subscriptions() -> None:
    bus, log = Bus(), []
    bus.on(Seen, lambda event: log.append("a"), plugin="a")
    bus.on(Seen, lambda event: log.append("b"), plugin="b")
    bus.forget("a")
    await bus.emit(Seen())
    assert log == ["b"]


async def test_a_scoped_bus_attributes_subscriptions_whatever_the_plugin_says() -> None:
    reported: list[HandlerFailure] = []
    bus = Bus(reported.append)
    bus.scoped("real").on(Seen, raising(ValueError("no")), plugin="pretended")
    await bus.emit(Seen())
    assert [failure.plugin for failure in reported] == ["real"]
    bus.forget("real")
    await bus.emit(Seen())
    assert len(reported) == 1


@pytest.mark.parametrize("bases", [(), (Observe, Gate)])
def test_an_event_type_must_have_exactly_one_kind(bases: tuple[type, ...]) -> None:
    from pi_kernel.bus import Event

    strange = type("Strange", bases or (Event,), {})
    with pytest.raises(TypeError, match="exactly one"):
        Bus().on(strange, lambda event: None)


async def test_handlers_hear_exactly_the_type_they_subscribed_to() -> None:
    class Derived(Seen):
        pass

    bus, log = Bus(), []
    bus.on(Seen, log.append)
    await bus.emit(Derived("x"))
    assert log == []
