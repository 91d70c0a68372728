"""Aborting a run although a handler, a provider or a tool will not be cancelled."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pi_agent.convert import provider_messages
from pi_api import Tool, ToolResult, events
from pi_api.messages import ToolResultMessage
from pi_testkit import FAKE_MODEL, Call, FakeProvider, Turn

DEADLINE = 30.0
ANYTHING = {"type": "object"}
KINDS = [events.TurnStart, events.BuildContext, events.ToolGate, events.MessageEnd]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_handler_that_swallows_cancellation_does_not_stop_an_abort(
    kind: Any, world: Callable[..., Any], impatient: None
) -> None:
    reached, never = asyncio.Event(), asyncio.Event()

    async def stubborn(event: Any) -> None:
        reached.set()
        for _ in range(2):
            try:
                await never.wait()
            except asyncio.CancelledError:
                continue

    here = await world(Turn(Call("echo")), handlers=[(kind, stubborn)])
    running = asyncio.create_task(here.session.prompt("go"))
    await reached.wait()
    async with asyncio.timeout(DEADLINE):
        await here.session.abort()
        await running
    assert here.session.last_answer.stop_reason == "aborted"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines a test can wait for."""
    monkeypatch.setattr("pi_agent.run.GIVE_UP_AFTER", 0.3)
    monkeypatch.setattr("pi_agent.run.CANCEL_EVERY", 0.05)
    monkeypatch.setattr("pi_agent.say.STEP_DEADLINE", 0.1)
    monkeypatch.setattr("pi_agent.closing.HANDLER_DEADLINE", 0.1)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_cannot_be_cancelled_is_left_behind_and_stores_nothing(
    kind: Any, world: Callable[..., Any], impatient: None
) -> None:
    reached, release = asyncio.Event(), asyncio.Event()

    async def deaf(event: Any) -> None:
        if reached.is_set():
            return
        reached.set()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    here = await world(Turn(Call("echo")), "an answer nobody waits for", handlers=[(kind, deaf)])
    running = asyncio.create_task(here.session.prompt("go"))
    await reached.wait()
    try:
        async with asyncio.timeout(DEADLINE):
            await here.session.abort()
            await running
        stored = here.reopened()
    finally:
        release.set()
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0)
    assert here.reopened() == stored
    assert [*provider_messages(stored, FAKE_MODEL)]
    assert here.lines("Notice")[0].startswith("Notice error: something ignores being cancelled")


async def test_a_provider_that_will_not_close_does_not_hold_an_abort_up(
    world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_agent.answer.CLOSE_DEADLINE", 0.1)
    reached, never = asyncio.Event(), asyncio.Event()

    class Clinging(FakeProvider):
        def stream(self, request: Any, **hooks: Any) -> Any:
            return self

        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> Any:
            reached.set()
            await never.wait()

        async def aclose(self) -> None:
            await never.wait()

    here = await world(provider=Clinging())
    running = asyncio.create_task(here.session.prompt("go"))
    await reached.wait()
    async with asyncio.timeout(DEADLINE):
        await here.session.abort()
        await running
    assert here.session.last_answer.stop_reason == "aborted"


async def test_a_tool_that_ignores_cancellation_is_left_behind(
    world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_agent.closing.TOOL_GRACE", 0.1)
    reached, release = asyncio.Event(), asyncio.Event()

    async def deaf(params: dict[str, Any], context: Any) -> ToolResult:
        reached.set()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        await context.update(ToolResult.text("too late"))
        return ToolResult.text("much too late")

    here = await world(Turn(Call("deaf")), more_tools=[Tool("deaf", "Hears nothing.", ANYTHING, deaf)])
    running = asyncio.create_task(here.session.prompt("go"))
    await reached.wait()
    try:
        async with asyncio.timeout(DEADLINE):
            await here.session.abort()
            await running
        stored = here.reopened()
    finally:
        release.set()
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0)
    assert [m.is_error for m in stored if isinstance(m, ToolResultMessage)] == [True]
    assert here.reopened() == stored
    assert here.of(events.ToolUpdate) == []
