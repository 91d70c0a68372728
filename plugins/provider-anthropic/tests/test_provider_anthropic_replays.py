"""Streams as the API sends them, split at every byte, come to the same events and the same end."""

import json
import tomllib
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pi_api.messages import Text, Thinking, ToolCall, UserMessage
from pi_api.provider import Request
from pi_api.stream import Done, Failed, Start, StreamEvent, TextEnd, ThinkingEnd, ToolCallEnd
from pi_provider_anthropic.assembly import Assembly
from pi_provider_anthropic.failures import RequestFailedError
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider
from pi_provider_anthropic.reading import judge, read
from pi_provider_anthropic.watchdog import Limits, Watchdog

CASES = tomllib.loads((Path(__file__).parent / "replays.toml").read_text(encoding="utf-8"))


async def body(chunks: Sequence[bytes]) -> AsyncGenerator[bytes, None]:
    for chunk in chunks:
        yield chunk


async def outcome(*chunks: bytes) -> tuple[list[StreamEvent], Assembly, str]:
    """All deltas, what was put together, and the failure's class and text, if any."""
    assembly, events = Assembly(), []
    try:
        async for event in read(body(chunks), assembly, Watchdog(Limits(), lambda: 0.0)):
            events.append(event)
        judge(assembly)
    except RequestFailedError as error:
        return events, assembly, f"{error.failure.kind}: {error.failure.message}"
    return events, assembly, ""


def in_short(events: Sequence[StreamEvent]) -> list[str]:
    """The blocks as their last events tell them."""
    short = []
    for event in events:
        match event:
            case Start():
                short.append("start")
            case TextEnd(_, text):
                short.append(f"text: {text}")
            case ThinkingEnd(_, text):
                short.append(f"thinking: {text}")
            case ToolCallEnd(_, call):
                short.append(f"{call.name}: {json.dumps(call.arguments, ensure_ascii=False)}")
    return short


def test_every_recorded_stream_has_a_case(wire: Path) -> None:
    assert {path.stem for path in wire.glob("*.sse")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
async def test_a_stream_comes_to_what_is_told(name: str, server: Any) -> None:
    case = CASES[name]
    provider = AnthropicProvider({"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": server.plays(name).url})
    events = [event async for event in provider.stream(Request(models()[0], "", (UserMessage("hello", 0),)))]
    end = events[-1]
    assert isinstance(end, Done | Failed)
    assert in_short(events) == case["deltas"]
    used = end.message.usage
    assert [used.input, used.output, used.cache_read, used.cache_write] == case["usage"]
    assert used.total_tokens == sum(case["usage"])
    if "stop" in case:
        assert isinstance(end, Done), end
        assert end.message.stop_reason == case["stop"]
    else:
        assert isinstance(end, Failed)
        assert end.failure.kind == case["kind"] == end.message.error_kind
        assert case["says"] in end.failure.message
        assert end.message.text == case.get("partial", end.message.text)


@pytest.mark.parametrize("name", CASES)
async def test_the_places_of_cuts_do_not_matter(name: str, wire: Path) -> None:
    stream = (wire / f"{name}.sse").read_bytes()
    events, assembly, failure = await outcome(stream)
    for place in range(len(stream)):
        cut = await outcome(stream[:place], stream[place:])
        assert (cut[0], cut[1].partial, cut[1].usage, cut[2]) == (events, assembly.partial, assembly.usage, failure)
    for other in (stream, stream.replace(b"\n", b"\r\n"), stream.replace(b"\n", b"\r")):
        single = await outcome(*(other[at : at + 1] for at in range(len(other))))
        assert (single[0], single[1].partial, single[2]) == (events, assembly.partial, failure)


async def test_signatures_are_kept_for_sending_them_back(wire: Path) -> None:
    _, assembly, _ = await outcome((wire / "thinking_and_tools.sse").read_bytes())
    first, second, *_, call, _ = assembly.partial
    assert isinstance(first, Thinking)
    assert (first.thinking, first.thinking_signature, first.redacted) == ("Two files to read.", "c2lnbmF0dXJl", None)
    assert isinstance(second, Thinking)
    assert (second.thinking_signature, second.redacted) == ("b3BhcXVl", True)
    assert isinstance(call, ToolCall)
    assert call.id == "toolu_01"
    assert assembly.hour_writes == 30


async def test_halves_of_characters_become_whole_or_a_mark() -> None:
    pieces = [r"\ud83c\udf0d", r"a\ud83cb"]
    events = [
        {"type": "message_start", "message": {"id": "m", "usage": {}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    lines = [json.dumps(event) for event in events]
    delta = '{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "%s"}}'
    lines += [delta % piece for piece in pieces]
    lines += [
        '{"type": "content_block_stop", "index": 0}',
        '{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}',
    ]
    _, assembly, failure = await outcome("".join(f"data: {line}\n\n" for line in lines).encode())
    assert failure == ""
    assert assembly.partial == (Text("🌍a\N{REPLACEMENT CHARACTER}b"),)
