"""Aborting a run at every step of the event loop, and at the places people abort at."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pi_agent.convert import provider_messages
from pi_api import AssistantMessage, Tool, ToolResult, events
from pi_api.events import Retry
from pi_api.messages import Message, ToolResultMessage, UserMessage
from pi_kernel.tree import SessionTree
from pi_testkit import FAKE_MODEL, Call, Fail, Hold, Turn

DEADLINE = 30.0
ANYTHING = {"type": "object"}


def valid_context(messages: Sequence[Message]) -> bool:
    """Whether every call has exactly one result right behind its answer, and every result a call."""
    due: list[str] = []
    for message in messages:
        if isinstance(message, ToolResultMessage):
            if not due or due.pop(0) != message.tool_call_id:
                return False
        elif due:
            return False
        elif isinstance(message, AssistantMessage) and message.stop_reason not in ("error", "aborted"):
            due = [call.id for call in message.tool_calls]
    return not due


def orderly(seen: Sequence[Any]) -> bool:
    """Whether runs, turns, messages and tool calls are properly nested, and everything begun was ended once."""
    agent = turn = False
    message: type | None = None
    tools: dict[str, int] = {}
    for event in seen:
        match event:
            case events.AgentStart() | events.AgentEnd():
                if agent == isinstance(event, events.AgentStart) or turn or message:
                    return False
                agent = not agent
            case events.TurnStart() | events.TurnEnd():
                if not agent or message or turn == isinstance(event, events.TurnStart):
                    return False
                turn = not turn
            case events.MessageStart():
                if not turn or message:
                    return False
                message = type(event.message)
            case events.MessageEnd():
                if message is not type(event.message):
                    return False
                message = None
            case events.ToolStart():
                tools[event.call_id] = 0
            case events.ToolEnd():
                tools[event.call_id] += 1
    return not agent and not turn and not message and set(tools.values()) <= {1}


async def slow(event: Any) -> None:
    """A handler that gives the abort a chance to come between any two others."""
    await asyncio.sleep(0)


def again(event: events.RunFailed) -> Retry | None:
    return Retry(0.0, 2) if event.attempt < 2 else None


SCRIPT = [
    Turn("I was", Fail()),
    Turn("so", Call("echo"), Call("shows"), Call("refuse"), Call("nothing")),
    Turn(Call("alone"), Call("echo")),
    "done",
    "to that as well",
]


async def run_and_abort(world: Callable[..., Any], tree: SessionTree, ticks: int) -> tuple[Any, bool]:
    """Play the script and abort after so many steps of the event loop; tells whether it ended before."""
    kinds = [events.MessageStart, events.MessageEnd, events.ToolStart, events.ToolGate, events.ToolEnd, events.TurnEnd]
    handlers = [(kind, slow) for kind in [*kinds, events.TurnStart, events.AgentStart, events.RetryStart]]
    here = await world(*SCRIPT, tree=tree, handlers=[*handlers, (events.RunFailed, again)])
    running = asyncio.create_task(here.session.prompt("first"))
    await asyncio.sleep(0)
    await here.session.prompt("steer", delivery="steer")
    await here.session.prompt("follow", delivery="followUp")
    for _ in range(ticks):
        if running.done():
            break
        await asyncio.sleep(0)
    ended = running.done() or any(
        isinstance(event, events.AgentEnd) and not event.will_retry for event in here.scene.seen
    )
    async with asyncio.timeout(DEADLINE):
        await here.session.abort()
        await running
    return here, ended


async def test_an_abort_at_any_moment_leaves_an_orderly_session(world: Callable[..., Any], tmp_path: Path) -> None:
    ended, ticks, moments = False, 0, set()
    while not ended:
        tree = SessionTree.create(tmp_path / f"{ticks}.jsonl", str(tmp_path))
        here, ended = await run_and_abort(world, tree, ticks)
        where = f"after {ticks} steps: {here.log}"
        assert here.session.is_idle, where
        assert orderly(here.scene.seen), where
        assert here.provider.open == 0, where
        assert {task.get_name() for task in asyncio.all_tasks()} == {asyncio.current_task().get_name()}, where  # type: ignore[union-attr]
        if here.of(events.AgentStart):
            check_stored(here, ended, where)
        moments.add(here.log[-2])
        await here.session.close()
        ticks += 1
    assert ticks > 100 and len(moments) > 5


def check_stored(here: Any, ended: bool, where: str) -> None:
    messages = here.reopened()
    said = [message.content for message in messages if isinstance(message, UserMessage)]
    steering, follow_up = here.session.queued
    assert sorted([*said, *steering, *follow_up]) == ["first", "follow", "steer"], where
    last = here.session.last_answer
    assert messages[-1] == last, where
    assert last.stop_reason == "aborted" or last.text in ("done", "to that as well"), where
    assert valid_context([m for m in messages if not failed(m)]), where
    assert valid_context(provider_messages(messages, FAKE_MODEL)), where
    stored = [m for m in messages if not failed(m)]
    assert [m for m in here.session.messages if not failed(m)] == stored, where
    ends = here.of(events.MessageEnd)
    assert len({id(event.message) for event in ends}) >= len(messages), where


def failed(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and message.stop_reason == "error"


async def test_an_abort_while_text_streams_keeps_what_has_arrived(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn("so far", hold, "never said"))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.abort()
    await running
    answer = here.session.last_answer
    assert (answer.text, answer.stop_reason, answer.error_kind) == ("so far", "aborted", "aborted")
    assert here.provider.cancelled == 1
    assert here.log[-3:] == [
        "MessageEnd assistant [aborted]: so far",
        "TurnEnd 0 [aborted] 0 results",
        "AgentEnd 2 messages",
    ]


async def test_an_abort_during_tools_keeps_the_results_there_are(world: Callable[..., Any]) -> None:
    started, never = asyncio.Event(), asyncio.Event()

    async def hang(params: dict[str, Any], context: Any) -> ToolResult:
        started.set()
        await never.wait()
        return ToolResult.text("not reached")

    async def tidy(params: dict[str, Any], context: Any) -> ToolResult:
        try:
            await never.wait()
        except asyncio.CancelledError:
            return ToolResult.text("stopped half-way, cleaned up")
        return ToolResult.text("not reached")

    tools = [Tool("hang", "Hangs.", ANYTHING, hang), Tool("tidy", "Tidies up.", ANYTHING, tidy)]
    here = await world(Turn(Call("hang"), Call("echo"), Call("tidy")), more_tools=tools)
    running = asyncio.create_task(here.session.prompt("go"))
    await started.wait()
    while not here.of(events.ToolEnd):
        await asyncio.sleep(0)
    await here.session.abort()
    await running
    results = [message for message in here.reopened() if isinstance(message, ToolResultMessage)]
    assert [(result.tool_name, result.is_error) for result in results] == [
        ("hang", True), ("echo", False), ("tidy", False),
    ]  # fmt: skip
    assert "interrupted" in results[0].content[0].text
    assert results[2].content[0].text == "stopped half-way, cleaned up"
    assert here.lines("ToolEnd")[0] == "ToolEnd call-2: echo"


async def test_calls_that_had_not_begun_are_told_apart(world: Callable[..., Any]) -> None:
    at_the_gate, never = asyncio.Event(), asyncio.Event()

    async def ask(event: events.ToolGate) -> None:
        at_the_gate.set()
        await never.wait()

    here = await world(Turn(Call("echo"), Call("echo")), handlers=[(events.ToolGate, ask)])
    running = asyncio.create_task(here.session.prompt("go"))
    await at_the_gate.wait()
    await here.session.abort()
    await running
    first, second = [message for message in here.reopened() if isinstance(message, ToolResultMessage)]
    assert "interrupted before it ended" in first.content[0].text
    assert "was not run" in second.content[0].text
    assert here.lines("ToolEnd") == [line for line in here.log if line.startswith("ToolEnd call-1")]


async def test_an_abort_while_waiting_for_a_retry(world: Callable[..., Any]) -> None:
    waiting = asyncio.Event()
    handlers = [
        (events.RunFailed, lambda event: Retry(3600.0, 3)),
        (events.RetryStart, lambda event: waiting.set()),
    ]
    here = await world(Turn(Fail()), handlers=handlers)
    running = asyncio.create_task(here.session.prompt("go"))
    async with asyncio.timeout(DEADLINE):
        await waiting.wait()
        await here.session.abort()
        await running
    start = here.log.index("AgentEnd 2 messages will retry")
    assert here.log[start + 2 :] == [
        "RetryEnd badly 1: the run was aborted",
        "AgentStart",
        "TurnStart 1",
        "MessageStart assistant",
        "MessageEnd assistant [aborted]",
        "TurnEnd 1 [aborted] 0 results",
        "AgentEnd 1 messages",
    ]


async def test_cancelling_the_caller_aborts_the_run(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn("so far", hold))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert here.session.is_idle
    assert here.session.last_answer.stop_reason == "aborted"


async def test_a_handler_may_abort_its_own_run(world: Callable[..., Any]) -> None:
    async def enough(event: events.ToolEnd) -> None:
        await here.session.abort()

    here = await world(Turn(Call("echo")), "never asked", handlers=[(events.ToolEnd, enough)])
    async with asyncio.timeout(DEADLINE):
        await here.session.prompt("go")
    assert here.session.last_answer.stop_reason == "aborted"
    assert len(here.provider.script) == 1


async def test_a_tool_may_abort_the_run_it_belongs_to(world: Callable[..., Any]) -> None:
    async def stop(params: dict[str, Any], context: Any) -> ToolResult:
        await context.session.abort()
        return ToolResult.text("not reached")

    here = await world(Turn(Call("stop")), more_tools=[Tool("stop", "Stops.", ANYTHING, stop)])
    async with asyncio.timeout(DEADLINE):
        await here.session.prompt("go")
    assert valid_context(here.reopened())


async def test_an_abort_when_nothing_runs_does_nothing(world: Callable[..., Any]) -> None:
    here = await world("hi")
    await here.session.abort()
    await here.session.prompt("go")
    assert here.session.last_answer.text == "hi"


async def test_waiting_messages_stay_in_the_queue_and_go_with_the_next_prompt(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold), "both heard")
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.prompt("left over", delivery="steer")
    await here.session.abort()
    await running
    assert here.session.queued == (("left over",), ())
    await here.session.prompt("next")
    assert [m.content for m in here.reopened() if isinstance(m, UserMessage)] == ["go", "next", "left over"]
