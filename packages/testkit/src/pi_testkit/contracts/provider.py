"""What pi expects of a provider."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pi_api.errors import ErrorKind
from pi_api.messages import Text, Thinking, ToolCall
from pi_api.provider import Provider, Request
from pi_api.stream import (
    Done,
    Failed,
    Start,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ThinkingEnd,
    ThinkingStart,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)

_OPENING = (TextStart, ThinkingStart, ToolCallStart)
_PIECE = (TextDelta, ThinkingDelta, ToolCallDelta)
_CLOSING = (TextEnd, ThinkingEnd, ToolCallEnd)
DEADLINE = 60.0


async def collected(provider: Provider, request: Request, **hooks: Any) -> list[StreamEvent]:
    """Every event of one request, within the deadline."""
    async with asyncio.timeout(DEADLINE):
        return [event async for event in provider.stream(request, **hooks)]


class _EverySecret(Mapping[str, str]):
    """An environment in which every variable is set, to a secret."""

    def __getitem__(self, name: str) -> str:
        return "secret-value"

    def __iter__(self) -> Iterator[str]:
        return iter(("SOME_API_KEY",))

    def __len__(self) -> int:
        return 1


class ProviderContract:
    """Subclass and define the fixtures `provider`, `good_request` (answered) and `bad_request` (fails).

    `open_connections` may return how many requests are under way, so that cancelling can be seen to close them.
    `sends_payload` is false for a provider that sends nothing anywhere.
    """

    sends_payload = True

    def open_connections(self, provider: Provider) -> int | None:
        return None

    def test_its_models_are_its_own_and_have_different_ids(self, provider: Provider) -> None:
        models = provider.models()
        assert provider.name
        assert models
        assert {model.provider for model in models} == {provider.name}
        assert len({model.id for model in models}) == len(models)

    def test_it_says_in_a_sentence_why_it_cannot_be_used(self, provider: Provider) -> None:
        reason = provider.unavailable({})
        assert reason is None or len(reason.split()) >= 3

    def test_it_never_shows_a_key(self, provider: Provider) -> None:
        assert "secret-value" not in (provider.unavailable(_EverySecret()) or "")

    def test_the_variables_of_its_keys_are_names(self, provider: Provider) -> None:
        assert [name for name in provider.secret_variables if not name or name != name.upper()] == []

    async def test_a_good_answer_ends_in_one_done(self, provider: Provider, good_request: Request) -> None:
        events = await collected(provider, good_request)
        assert isinstance(events[-1], Done), events[-1]
        assert [event for event in events[:-1] if isinstance(event, Done | Failed)] == []
        message = events[-1].message
        assert message.stop_reason in ("stop", "length", "toolUse")
        assert (message.stop_reason == "toolUse") == bool(message.tool_calls)
        assert (message.provider, message.model) == (good_request.model.provider, good_request.model.id)

    async def test_the_pieces_add_up_to_the_message(self, provider: Provider, good_request: Request) -> None:
        events = await collected(provider, good_request)
        assert isinstance(events[0], Start)
        assert isinstance(events[-1], Done)
        assert blocks_of(events) == [_plain(block) for block in events[-1].message.content]

    async def test_a_failure_is_the_last_event_and_nothing_is_raised(
        self, provider: Provider, bad_request: Request
    ) -> None:
        events = await collected(provider, bad_request)
        last = events[-1]
        assert isinstance(last, Failed), last
        assert [event for event in events[:-1] if isinstance(event, Done | Failed)] == []
        assert last.message.stop_reason in ("error", "aborted")
        assert last.message.error_message
        assert last.message.error_kind == str(last.failure.kind)
        assert isinstance(last.failure.kind, ErrorKind)

    async def test_hooks_see_the_payload_and_the_response(self, provider: Provider, good_request: Request) -> None:
        if not self.sends_payload:
            pytest.skip("this provider sends nothing")
        payloads: list[dict[str, Any]] = []
        statuses: list[int] = []

        async def on_payload(payload: dict[str, Any]) -> dict[str, Any]:
            payloads.append(payload)
            return payload

        async def on_response(status: int, headers: Mapping[str, str]) -> None:
            statuses.append(status)

        await collected(provider, good_request, on_payload=on_payload, on_response=on_response)
        assert len(payloads) == 1 and json.dumps(payloads[0])
        assert statuses == [200]

    async def test_leaving_a_stream_early_closes_it(self, provider: Provider, good_request: Request) -> None:
        stream: Any = provider.stream(good_request)
        async with asyncio.timeout(DEADLINE):
            await anext(stream)
            await stream.aclose()
        assert self.open_connections(provider) in (None, 0)

    async def test_cancelling_a_stream_closes_it(self, provider: Provider, good_request: Request) -> None:
        arrived = asyncio.Event()

        async def read() -> None:
            async for _ in provider.stream(good_request):
                arrived.set()
                await asyncio.sleep(0)

        reading = asyncio.ensure_future(read())
        async with asyncio.timeout(DEADLINE):
            await arrived.wait()
            reading.cancel()
            await asyncio.wait({reading})
        assert reading.cancelled() or reading.exception() is None
        assert self.open_connections(provider) in (None, 0)


def blocks_of(events: list[StreamEvent]) -> list[tuple[str, Any]]:
    """Content as the deltas tell it; asserts that each block is opened, filled and closed in order."""
    blocks: list[tuple[str, Any]] = []
    pieces: list[str] = []
    current: Any = None
    for event in events:
        if isinstance(event, _OPENING):
            assert current is None and event.content_index == len(blocks)
            current, pieces = event, []
        elif isinstance(event, _PIECE):
            assert current is not None and event.content_index == current.content_index
            pieces.append(event.delta)
        elif isinstance(event, _CLOSING):
            assert current is not None and event.content_index == current.content_index
            blocks.append(_closed(event, current, "".join(pieces)))
            current = None
    assert current is None, "the last block was not closed"
    return blocks


def _closed(event: TextEnd | ThinkingEnd | ToolCallEnd, opened: Any, text: str) -> tuple[str, Any]:
    if isinstance(event, ToolCallEnd):
        assert (opened.id, opened.name) == (event.tool_call.id, event.tool_call.name)
        assert event.tool_call.arguments == (json.loads(text) if text else {})
        return _plain(event.tool_call)
    assert event.content == text
    return ("text" if isinstance(event, TextEnd) else "thinking", text)


def _plain(block: Text | Thinking | ToolCall) -> tuple[str, Any]:
    match block:
        case Text(text):
            return ("text", text)
        case Thinking(thinking):
            return ("thinking", thinking)
        case ToolCall(call_id, name, arguments):
            return ("toolCall", (call_id, name, arguments))
