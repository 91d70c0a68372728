"""Streams that do not keep the contract: each becomes one failed message, and nothing is raised."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from pi_api import ErrorKind, ProviderFailure, Usage, events
from pi_api.messages import AssistantMessage, Text, ToolCall
from pi_api.stream import Done, Failed, TextDelta, TextEnd
from pi_testkit import FAKE_MODEL, Call, Emit, End, Fail, FakeProvider, Raise, Say, Turn, build_message

GOOD = build_message(FAKE_MODEL, "fine")

BROKEN: dict[str, tuple[list[Any], ErrorKind, str]] = {
    "raises": ([Say("half"), Raise(RuntimeError("socket"))], ErrorKind.UNKNOWN, "raised RuntimeError: socket"),
    "raises at once": ([Raise(ValueError("no"))], ErrorKind.UNKNOWN, "raised ValueError: no"),
    "exits": ([Raise(SystemExit(2))], ErrorKind.UNKNOWN, "raised SystemExit: 2"),
    "ends early": ([Say("half"), End()], ErrorKind.STREAM_STALL, "ended without a terminal result"),
    "yields a string": ([Say("half"), Emit("data: {}")], ErrorKind.MALFORMED, "sent str, which is no stream event"),
    "yields nothing": ([Emit(None)], ErrorKind.MALFORMED, "sent NoneType"),
    "is done with no message": ([Emit(Done(None))], ErrorKind.MALFORMED, "ended with NoneType"),  # type: ignore[arg-type]
    "is done and failed": (
        [Emit(Done(replace(GOOD, stop_reason="error")))], ErrorKind.MALFORMED, "with the stop reason 'error'",
    ),
    "cancels itself": ([Raise(asyncio.CancelledError())], ErrorKind.UNKNOWN, "cancelled its own stream"),
    "fails properly": ([Say("half"), Fail(ErrorKind.BILLING, "no money")], ErrorKind.BILLING, "no money"),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "kind", "text"), BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_stream(steps: list[Any], kind: ErrorKind, text: str, world: Callable[..., Any]) -> None:
    here = await world(Turn(*steps))
    await here.session.prompt("go")
    answer = here.session.last_answer
    assert (answer.stop_reason, answer.error_kind) == ("error", str(kind))
    assert text in answer.error_message
    assert answer.text == ("half" if steps[0] == Say("half") else "")
    assert here.of(events.RunFailed)[0].failure.kind is kind
    assert here.lines("TurnEnd", "AgentEnd") == ["TurnEnd 0 [error] 0 results", "AgentEnd 2 messages"]
    assert here.provider.open == 0
    assert here.reopened()[-1] == answer


class Odd(FakeProvider):
    """A provider whose `stream` gives back what it is told."""

    def __init__(self, made: Callable[[], Any]) -> None:
        super().__init__()
        self.made = made

    def stream(self, request: Any, **hooks: Any) -> Any:
        return self.made()


async def a_coroutine() -> None:
    return None


def raising() -> Any:
    raise ConnectionError("refused")


@pytest.mark.filterwarnings("ignore:coroutine:RuntimeWarning")
@pytest.mark.parametrize("made", [lambda: None, lambda: 3, lambda: [GOOD], a_coroutine, raising])
async def test_something_that_is_no_stream(made: Callable[[], Any], world: Callable[..., Any]) -> None:
    here = await world(provider=Odd(made))
    await here.session.prompt("go")
    assert here.session.last_answer.stop_reason == "error"
    assert "the provider 'fake' raised" in here.session.last_answer.error_message


async def test_what_comes_after_the_end_is_not_looked_at(world: Callable[..., Any]) -> None:
    async def chatty() -> AsyncIterator[Any]:
        yield Done(GOOD)
        yield Done(build_message(FAKE_MODEL, "again"))
        raise RuntimeError("and again")

    here = await world(provider=Odd(chatty))
    await here.session.prompt("go")
    assert here.session.last_answer == GOOD


async def test_a_provider_may_skip_the_start(world: Callable[..., Any]) -> None:
    async def brief() -> AsyncIterator[Any]:
        yield TextDelta(0, "fi")
        yield TextDelta(0, "ne")
        yield TextEnd(0, "fine")
        yield Done(GOOD)

    here = await world(provider=Odd(brief))
    await here.session.prompt("go")
    assert here.lines("MessageStart", "MessageEnd")[2:] == [
        "MessageStart assistant",
        "MessageEnd assistant [stop]: fine",
    ]


async def test_a_failure_without_words_gets_them(world: Callable[..., Any]) -> None:
    async def mute() -> AsyncIterator[Any]:
        message = AssistantMessage((Text("x"),), "fake", "fake", "fake-1", Usage(), "stop", 0)
        yield Failed(message, ProviderFailure(ErrorKind.SERVER_ERROR, "it said 500"))

    here = await world(provider=Odd(mute))
    await here.session.prompt("go")
    answer = here.session.last_answer
    assert (answer.stop_reason, answer.error_message, answer.error_kind) == ("error", "it said 500", "server_error")


async def test_repeated_and_missing_call_ids_are_told_apart(world: Callable[..., Any]) -> None:
    calls = [ToolCall(call_id, "echo", {"text": str(at)}) for at, call_id in enumerate(["", "x", "x", ""])]

    async def local() -> AsyncIterator[Any]:
        yield Done(build_message(FAKE_MODEL, *calls) if not here.of(events.ToolEnd) else GOOD)

    here = await world(provider=Odd(local))
    await here.session.prompt("go")
    answer, *results = here.reopened()[1:-1]
    assert len({call.id for call in answer.tool_calls}) == 4
    assert [result.tool_call_id for result in results] == [call.id for call in answer.tool_calls]
    assert [result.content[0].text for result in results] == ["0", "1", "2", "3"]


async def test_a_plugin_sees_and_replaces_payload_and_answer(world: Callable[..., Any]) -> None:
    def shorter(event: events.ProviderPayload) -> Any:
        return replace(event, payload={**event.payload, "temperature": 0})

    def polite(event: events.MessageEnd) -> Any:
        if isinstance(event.message, AssistantMessage):
            return replace(event, message=replace(event.message, content=(Text("please"),)))
        return None

    here = await world("give", handlers=[(events.ProviderPayload, shorter), (events.MessageEnd, polite)])
    await here.session.prompt("go")
    assert here.provider.payloads[0]["temperature"] == 0
    assert here.reopened()[-1].text == "please"
    assert here.of(events.ProviderResponse)[0].status == 200


async def test_a_message_cannot_be_turned_into_one_of_another_role(world: Callable[..., Any]) -> None:
    def confuse(event: events.MessageEnd) -> Any:
        return replace(event, message=GOOD)

    here = await world("give", handlers=[(events.MessageEnd, confuse)])
    await here.session.prompt("go")
    assert here.reopened()[0].content == "go"
    assert here.lines("Notice") == [
        "Notice warning: a plugin tried to turn a UserMessage into another message; that was ignored"
    ]


async def test_a_plugin_may_reject_an_answer(world: Callable[..., Any]) -> None:
    def overflow(event: events.MessageEnd) -> Any:
        if isinstance(event.message, AssistantMessage):
            fields = {"error_message": "context_length_exceeded", "error_kind": "context_overflow"}
            return replace(event, message=replace(event.message, stop_reason="error", **fields))
        return None

    here = await world(Turn(Call("echo")), handlers=[(events.MessageEnd, overflow)])
    await here.session.prompt("go")
    assert here.lines("RunFailed", "ToolStart") == ["RunFailed context_overflow 1"]
