"""Runs that get nowhere are closed by one last request without tools."""

from collections.abc import Callable
from typing import Any

import pytest
from pi_agent.stall import WINDOW, StallGuard, signature
from pi_api import events
from pi_api.messages import ToolCall, ToolResultMessage
from pi_testkit import Call, Turn


def call(name: str = "read", **arguments: Any) -> ToolCall:
    return ToolCall("id", name, arguments)


ALIKE = [
    (call(at="2026-01-02T03:04:05Z"), call(at="2027-11-30 10:20:30.123+02:00")),
    (call(at="2026-01-02T03:04"), call(at="2026-01-02T03:05")),
    (call(id="123e4567-e89b-12d3-a456-426614174000"), call(id="00000000-0000-4000-8000-00000000ffff")),
    (call(since=1767323045), call(since=1767323046)),
    (call(since=1767323045678), call(since=1767323099999)),
    (call(a=1, b=2), call(b=2, a=1)),
]
DIFFERENT = [
    (call(path="a"), call(path="b")),
    (call(path="a"), call("write", path="a")),
    (call(n=1), call(n=2)),
    (call(day="2026-01-02"), call(day="2026-01-03")),
    (call(port=17673230), call(port=17673231)),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_calls_that_differ_only_in_time_or_ids_are_the_same(one: ToolCall, other: ToolCall) -> None:
    assert signature(one) == signature(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_calls_that_differ_in_anything_else_are_not(one: ToolCall, other: ToolCall) -> None:
    assert signature(one) != signature(other)


def turns_until_stopped(guard: StallGuard, turns: list[list[ToolCall]]) -> int | None:
    return next((at for at, calls in enumerate(turns, 1) if guard.after_turn(calls)), None)


def test_the_twelfth_equal_call_is_one_too_many() -> None:
    assert turns_until_stopped(StallGuard(), [[call()]] * 20) == 12


def test_several_equal_calls_of_one_turn_count_once() -> None:
    assert turns_until_stopped(StallGuard(), [[call(), call(), call()]] * 20) == 12


def test_a_call_among_others_counts() -> None:
    turns = [[call(n=at), call("stuck")] for at in range(20)]
    guard = StallGuard()
    assert turns_until_stopped(guard, turns) == 12


def test_only_the_last_turns_with_calls_are_looked_back_on() -> None:
    spread = [[call("stuck")] if at % 5 == 0 else [call(n=at)] for at in range(400)]
    assert turns_until_stopped(StallGuard(), spread) is None
    close = [[call("stuck")] if at % 4 == 0 else [call(n=at)] for at in range(400)]
    assert turns_until_stopped(StallGuard(), close) == 45
    assert WINDOW == 48


def test_turns_without_calls_do_not_count_towards_the_window() -> None:
    turns: list[list[ToolCall]] = []
    for _ in range(12):
        turns += [[call("stuck")], *[[]] * 50]
    assert turns_until_stopped(StallGuard(), turns) == 11 * 51 + 1


def test_limits_can_be_set_and_switched_off() -> None:
    assert turns_until_stopped(StallGuard(3), [[call()]] * 20) == 3
    assert turns_until_stopped(StallGuard(0), [[call()]] * 200) is None
    assert turns_until_stopped(StallGuard(0, 7), [[call(n=at)] for at in range(20)]) == 7


async def test_a_stalled_run_is_closed(world: Callable[..., Any]) -> None:
    here = await world(*[Turn(Call("echo"))] * 12, "I give up: it is still open", "never asked")
    await here.session.prompt("go")
    assert len(here.provider.requests) == 13 and len(here.provider.script) == 1
    assert here.provider.requests[11].tools and not here.provider.requests[12].tools
    assert "echo was made 12 times" in here.provider.requests[12].messages[-1].content
    assert here.session.last_answer.text == "I give up: it is still open"
    assert here.lines("MessageEnd")[-2].startswith("MessageEnd custom: The same call")


async def test_a_model_that_calls_on_regardless_gets_no_more_turns(world: Callable[..., Any]) -> None:
    here = await world(*[Turn(Call("echo"))] * 13, "never asked")
    await here.session.prompt("go")
    assert len(here.provider.requests) == 13
    last = here.reopened()[-1]
    assert isinstance(last, ToolResultMessage) and last.is_error and "no tools are available" in last.content[0].text  # type: ignore[union-attr]
    assert len(here.of(events.ToolGate)) == 12


async def test_the_limits_come_from_the_settings(world: Callable[..., Any]) -> None:
    here = await world(*[Turn(Call("echo"))] * 3, "closed", settings={"maxStallTurns": 3})
    await here.session.prompt("go")
    assert here.session.last_answer.text == "closed"
    here = await world(Turn(Call("echo")), Turn(Call("boom")), "closed", settings={"maxProviderTurns": 2})
    await here.session.prompt("go")
    assert "used up its 2 requests" in here.provider.requests[-1].messages[-1].content


async def test_the_count_starts_anew_with_each_prompt(world: Callable[..., Any]) -> None:
    script = [*[Turn(Call("echo"))] * 6, "one", *[Turn(Call("echo"))] * 6, "two"]
    here = await world(*script)
    await here.session.prompt("go")
    await here.session.prompt("go on")
    assert here.session.last_answer.text == "two" and here.provider.script == []
