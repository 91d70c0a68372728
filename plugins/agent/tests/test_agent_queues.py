"""Steering and follow-up messages: when each is delivered, one at a time or all together."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pi_api import BusyError, events
from pi_api.messages import CustomMessage, UserMessage
from pi_testkit import Call, Fail, Hold, Turn

# mode, what waits while the first turn runs, then per request the texts it newly sees
MATRIX = [
    ("steer", "one-at-a-time", ["a", "b"], [["go"], ["a"], ["b"]]),
    ("steer", "all", ["a", "b"], [["go"], ["a", "b"]]),
    ("followUp", "one-at-a-time", ["a", "b"], [["go"], [], ["a"], ["b"]]),
    ("followUp", "all", ["a", "b"], [["go"], [], ["a", "b"]]),
]


def new_texts(here: Any) -> list[list[str]]:
    """Per request the user texts that the request before did not have."""
    seen: list[list[str]] = []
    count = 0
    for request in here.provider.requests:
        texts = [message.content for message in request.messages if isinstance(message, UserMessage)]
        seen.append(texts[count:])
        count = len(texts)
    return seen


@pytest.mark.parametrize(("delivery", "mode", "waiting", "expected"), MATRIX)
async def test_waiting_messages_are_delivered(
    delivery: Any, mode: str, waiting: list[str], expected: list[list[str]], world: Callable[..., Any]
) -> None:
    hold = Hold()
    key = "steeringMode" if delivery == "steer" else "followUpMode"
    script = [Turn(hold, Call("echo")), *(f"answer {number}" for number in range(len(expected) - 1))]
    here = await world(*script, settings={key: mode})
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    for text in waiting:
        await here.session.prompt(text, delivery=delivery)
    assert here.session.queued == ((tuple(waiting), ()) if delivery == "steer" else ((), tuple(waiting)))
    hold.release.set()
    await running
    assert new_texts(here) == expected
    assert here.session.queued == ((), ())
    assert len(here.of(events.AgentStart)) == 1, "waiting messages belong to the same run"


async def test_steering_waits_for_the_whole_batch_of_tools(world: Callable[..., Any]) -> None:
    async def steer(event: events.ToolStart) -> None:
        if event.call_id == "call-1":
            await here.session.prompt("stop that", delivery="steer")

    here = await world(Turn(Call("echo"), Call("echo")), "ok", handlers=[(events.ToolStart, steer)])
    await here.session.prompt("go")
    ends = here.lines("MessageEnd")
    assert ends[2:5] == ["MessageEnd toolResult: echo", "MessageEnd toolResult: echo", "MessageEnd user: stop that"]


async def test_follow_ups_wait_until_nothing_else_is_left(world: Callable[..., Any]) -> None:
    async def both(event: events.TurnStart) -> None:
        if event.index == 0:
            await here.session.prompt("later", delivery="followUp")
            await here.session.prompt("now", delivery="steer")

    here = await world("one", "two", "three", handlers=[(events.TurnStart, both)])
    await here.session.prompt("go")
    assert new_texts(here) == [["go"], ["now"], ["later"]]


async def test_the_queue_is_announced_whenever_it_changes(world: Callable[..., Any]) -> None:
    async def steer(event: events.TurnStart) -> None:
        if event.index == 0:
            await here.session.prompt("a", delivery="steer")
            await here.session.prompt("b", delivery="followUp")

    here = await world("one", "two", "three", handlers=[(events.TurnStart, steer)])
    await here.session.prompt("go")
    assert here.lines("QueueUpdate") == [
        "QueueUpdate steer=['a'] then=[]",
        "QueueUpdate steer=['a'] then=['b']",
        "QueueUpdate steer=[] then=['b']",
        "QueueUpdate steer=[] then=[]",
    ]


async def test_a_prompt_while_busy_says_how_it_is_to_be_delivered(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold, "done"))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    with pytest.raises(BusyError, match="steer or to follow up"):
        await here.session.prompt("and this?")
    hold.release.set()
    await running
    assert new_texts(here) == [["go"]]


async def test_a_message_that_comes_while_the_end_is_announced_starts_another_run(world: Callable[..., Any]) -> None:
    async def more(event: events.AgentEnd) -> None:
        if len(here.of(events.AgentEnd)) == 1:
            await here.session.prompt("one more", delivery="followUp")

    here = await world("first", "second", handlers=[(events.AgentEnd, more)])
    await here.session.prompt("go")
    assert here.lines("AgentStart", "AgentEnd") == ["AgentStart", "AgentEnd 2 messages"] * 2
    assert here.session.last_answer.text == "second"
    assert here.session.is_idle


async def test_a_failed_run_leaves_the_queue_alone(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold, Fail()), "answered")
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.prompt("still here", delivery="followUp")
    hold.release.set()
    await running
    assert here.session.queued == ((), ("still here",))


async def test_the_queue_can_be_taken_back(world: Callable[..., Any]) -> None:
    hold = Hold()
    here = await world(Turn(hold, "done"))
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    await here.session.prompt("a", delivery="steer")
    await here.session.prompt("b", delivery="followUp")
    assert here.session.clear_queue() == (("a",), ("b",))
    hold.release.set()
    await running
    assert new_texts(here) == [["go"]]


async def test_a_plugins_message_can_steer_too(world: Callable[..., Any]) -> None:
    async def run_out(event: events.ToolEnd) -> None:
        await here.session.send("watch", "the file changed", delivery="steer", details={"file": "a"})

    here = await world(Turn(Call("echo")), "seen", handlers=[(events.ToolEnd, run_out)])
    await here.session.prompt("go")
    sent = [message for message in here.reopened() if isinstance(message, CustomMessage)]
    assert [(one.custom_type, one.content, one.details) for one in sent] == [
        ("watch", "the file changed", {"file": "a"})
    ]
    assert here.provider.requests[-1].messages[-1].content == "the file changed"


async def test_a_message_for_the_next_turn_goes_with_the_next_prompt(world: Callable[..., Any]) -> None:
    here = await world("one")
    await here.session.send("note", "remember this")
    assert here.session.messages == ()
    await here.session.prompt("go")
    assert [message.content for message in here.provider.requests[0].messages] == ["go", "remember this"]


@pytest.mark.parametrize("delivery", ["steer", "followUp", "nextTurn"])
async def test_a_message_may_start_a_run(delivery: Any, world: Callable[..., Any]) -> None:
    here = await world("I see")
    await here.session.send("alarm", "it burns", delivery=delivery, trigger_turn=True)
    assert here.session.last_answer.text == "I see"


async def test_a_message_to_an_idle_session_is_stored_at_once(world: Callable[..., Any]) -> None:
    here = await world()
    await here.session.send("note", "for the record", delivery="steer", display=False)
    assert here.lines("MessageStart", "MessageEnd", "AgentStart") == [
        "MessageStart custom: for the record",
        "MessageEnd custom: for the record",
    ]
    assert [message.content for message in here.reopened()] == ["for the record"]


async def test_a_prompt_that_loses_the_race_is_run_instead_of_queued(world: Callable[..., Any]) -> None:
    """The input handlers of a steering message take longer than the run it was to steer."""
    hold, slow = Hold(), asyncio.Event()

    async def dawdle(event: events.Input) -> None:
        if event.text == "late":
            hold.release.set()
            await slow.wait()

    here = await world(Turn(hold, "one"), "two", handlers=[(events.Input, dawdle)])
    running = asyncio.create_task(here.session.prompt("go"))
    await hold.reached.wait()
    late = asyncio.create_task(here.session.prompt("late", delivery="steer"))
    await running
    slow.set()
    await late
    assert new_texts(here) == [["go"], ["late"]]
    assert here.session.queued == ((), ())
