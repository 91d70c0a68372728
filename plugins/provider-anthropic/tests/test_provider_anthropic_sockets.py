"""What a real connection does: it is refused, breaks, stalls, is slow, and is closed when nobody wants the rest."""

import asyncio
import socket
from typing import Any

import pytest
from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import UserMessage
from pi_api.provider import Request
from pi_api.stream import Done, Failed, StreamEvent, TextDelta
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider
from pi_provider_anthropic.watchdog import Limits

DEADLINE = 60.0
BEGINNING = b"".join(
    b"data: " + line + b"\n\n"
    for line in (
        b'{"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": 5}}}',
        b'{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}',
        b'{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I beg"}}',
    )
)
THINKING = BEGINNING.replace(b'"text", "text": ""', b'"thinking", "thinking": ""').replace(
    b'"text_delta", "text"', b'"thinking_delta", "thinking"'
)
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
SHORT = 0.8
QUICK = {
    "connect": Limits(connect=SHORT),
    "first": Limits(first=SHORT),
    "active": Limits(active=SHORT),
    "quiet": Limits(quiet=SHORT),
}


def asking(**fields: Any) -> Request:
    return Request(models()[0], "You are pi.", (UserMessage("hello", 0),), **fields)


def provider_of(url: str, limits: Limits | None = None) -> AnthropicProvider:
    return AnthropicProvider({"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": url}, limits=limits)


async def ask(provider: AnthropicProvider, request: Request | None = None) -> list[StreamEvent]:
    async with asyncio.timeout(DEADLINE):
        return [event async for event in provider.stream(request or asking())]


async def failure_of(provider: AnthropicProvider, request: Request | None = None) -> ProviderFailure:
    *_, end = await ask(provider, request)
    assert isinstance(end, Failed), end
    return end.failure


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        failure = await failure_of(provider_of(f"http://127.0.0.1:{taken.getsockname()[1]}"))
    assert failure.kind is ErrorKind.NETWORK
    assert "127.0.0.1" in failure.message


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "http://127.0.0.1:port", "nonsense"])
async def test_a_base_url_that_is_none_is_named(url: str) -> None:
    failure = await failure_of(provider_of(url))
    assert failure.kind is ErrorKind.INVALID_REQUEST
    assert url.rstrip("/") in failure.message


async def test_a_connection_that_breaks_in_the_middle(server: Any, hold: Any, drop: Any) -> None:
    arrived = hold()
    server.parts = (BEGINNING, arrived, drop)
    async with asyncio.timeout(DEADLINE):
        async for event in provider_of(server.url).stream(asking()):
            if isinstance(event, TextDelta):
                arrived.until.set()
    assert isinstance(event, Failed)
    assert event.failure.kind is ErrorKind.NETWORK
    assert event.message.text == "I beg"
    assert event.message.usage.input == 5
    assert event.message.stop_reason == "error"


async def test_a_connection_that_breaks_before_the_answer(server: Any, drop: Any) -> None:
    server.parts = (drop,)
    assert (await failure_of(provider_of(server.url))).kind is ErrorKind.NETWORK


@pytest.mark.parametrize(
    ("phase", "parts", "says"),
    [
        ("first", [b""], "no content came"),
        ("first", [PING], "no content came"),
        ("active", [BEGINNING], "did not go on"),
        ("active", [BEGINNING, PING], "did not go on"),
        ("quiet", [THINKING], "thinking did not go on"),
    ],
)
async def test_a_silent_stream_counts_as_stalled(
    server: Any, hold: Any, phase: str, parts: list[bytes], says: str
) -> None:
    server.parts = (*parts, hold())
    failure = await failure_of(provider_of(server.url, QUICK[phase]))
    assert failure.kind is ErrorKind.STREAM_STALL
    assert failure.message.startswith("stream stalled")
    assert says in failure.message
    async with asyncio.timeout(DEADLINE):
        await server.left.wait()


async def test_a_server_that_does_not_begin_counts_as_stalled(server: Any, hold: Any) -> None:
    server.begin = hold()
    failure = await failure_of(provider_of(server.url, QUICK["connect"]))
    assert failure.kind is ErrorKind.STREAM_STALL
    assert "did not begin" in failure.message


@pytest.mark.parametrize(("phase", "parts"), [("active", THINKING), ("quiet", BEGINNING), ("connect", BEGINNING)])
async def test_each_phase_has_its_own_patience(server: Any, hold: Any, phase: str, parts: bytes) -> None:
    waiting = hold()
    server.plays("text").parts = (parts, waiting)
    asked = asyncio.ensure_future(failure_of(provider_of(server.url, QUICK[phase])))
    async with asyncio.timeout(DEADLINE):
        await waiting.reached.wait()
        await asyncio.wait({asked}, timeout=4 * SHORT)
        assert not asked.done()
        waiting.until.set()
        assert (await asked).kind is ErrorKind.NETWORK


async def test_cancelling_closes_the_connection(server: Any, hold: Any) -> None:
    server.parts = (BEGINNING, hold())
    seen = asyncio.Event()

    async def read() -> None:
        async for event in provider_of(server.url).stream(asking()):
            if isinstance(event, TextDelta):
                seen.set()

    reading = asyncio.ensure_future(read())
    async with asyncio.timeout(DEADLINE):
        await seen.wait()
        assert server.open == 1
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await server.left.wait()


async def test_cancelling_while_nothing_has_come_closes_the_connection(server: Any, hold: Any) -> None:
    server.begin = hold()
    reading = asyncio.ensure_future(ask(provider_of(server.url)))
    async with asyncio.timeout(DEADLINE):
        await server.begin.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await server.left.wait()


async def test_leaving_the_stream_closes_the_connection(server: Any, hold: Any) -> None:
    server.parts = (BEGINNING, hold())
    stream = provider_of(server.url).stream(asking())
    async with asyncio.timeout(DEADLINE):
        await anext(stream)
        await stream.aclose()
        await server.left.wait()


async def test_the_rest_of_a_complete_answer_is_not_waited_for(server: Any, hold: Any) -> None:
    server.plays("text", hold())
    *_, end = await ask(provider_of(server.url))
    assert isinstance(end, Done)
    async with asyncio.timeout(DEADLINE):
        await server.left.wait()


async def test_single_bytes_over_the_wire_make_the_same_answer(server: Any) -> None:
    (whole,) = server.plays("thinking_and_tools").parts
    once = await ask(provider_of(server.url))
    server.parts = [whole[at : at + 1] for at in range(len(whole))]
    again = await ask(provider_of(server.url))
    assert again[:-1] == once[:-1]
    assert isinstance(again[-1], Done)


async def test_a_page_instead_of_events_is_malformed(server: Any) -> None:
    server.plays("no_events").headers = {"content-type": "text/html"}
    failure = await failure_of(provider_of(server.url))
    assert failure.kind is ErrorKind.MALFORMED
    assert "text/html" in failure.message
    assert "Welcome to the hotel" in failure.message


async def test_an_error_that_never_ends_is_told_all_the_same(
    server: Any, hold: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_provider_anthropic.transport.ERROR_BODY_SECONDS", SHORT)
    server.refuses(529, "half a body").parts = (b"half a body", hold())
    failure = await failure_of(provider_of(server.url))
    assert failure.kind is ErrorKind.OVERLOADED
    assert failure.status == 529


async def test_a_hook_that_fails_ends_the_stream_instead_of_raising(server: Any) -> None:
    async def on_payload(payload: dict[str, Any]) -> dict[str, Any]:
        raise RuntimeError("a broken plugin")

    events = [event async for event in provider_of(server.plays("text").url).stream(asking(), on_payload=on_payload)]
    assert isinstance(events[-1], Failed)
    assert events[-1].failure.kind is ErrorKind.UNKNOWN
    assert "a broken plugin" in events[-1].failure.message
