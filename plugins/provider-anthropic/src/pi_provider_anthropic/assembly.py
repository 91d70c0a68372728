"""The events of the Messages API, one by one, into the events of pi and the finished message."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pi_api.errors import ErrorKind
from pi_api.messages import Text, Thinking, ToolCall
from pi_api.stream import (
    Delta,
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
from pi_api.usage import Usage

from pi_provider_anthropic.failures import RequestFailedError, failed
from pi_provider_anthropic.surrogates import whole, whole_text
from pi_provider_anthropic.watchdog import Phase

Block = Text | Thinking | ToolCall
REDACTED = "[thinking withheld by the provider]"


@dataclass(slots=True)
class _Open:
    """The block that is being streamed."""

    index: int
    kind: str
    pieces: list[str] = field(default_factory=list)
    signature: str = ""
    call_id: str = ""
    name: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class Assembly:
    """Takes the API's events in order. What it cannot make sense of raises a failure of class `malformed`.

    `own_name` gives a tool's own name for the one the API was told. `broken` names a tool whose call has arguments that
    are no JSON object; whether that is a fault or only the consequence of an answer cut for length is known when the
    stop reason comes.
    """

    def __init__(self, own_name: Callable[[str], str] = str) -> None:
        self._own_name = own_name
        self.blocks: list[Block] = []
        self.usage = Usage()
        self.hour_writes = 0
        self.stop_reason: str | None = None
        self.stop_text = ""
        self.response_id: str | None = None
        self.response_model: str | None = None
        self.finished = False
        self.broken = ""
        self._open: _Open | None = None

    @property
    def phase(self) -> Phase:
        """What the request waits for next."""
        if self._open is not None:
            return Phase.QUIET if self._open.kind in ("thinking", "redacted_thinking") else Phase.ACTIVE
        if self.blocks:
            return Phase.QUIET if isinstance(self.blocks[-1], Thinking) else Phase.ACTIVE
        return Phase.FIRST

    def take(self, event: Mapping[str, Any]) -> Iterator[Delta]:
        """The events of pi that one event of the API makes."""
        try:
            yield from self._take(event)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise failed(
                ErrorKind.MALFORMED, f"Anthropic sent a {event.get('type')!r} event that makes no sense: {error!r}."
            ) from error

    def _take(self, event: Mapping[str, Any]) -> Iterator[Delta]:
        match event["type"]:
            case "message_start":
                self._begin(event["message"])
            case "content_block_start":
                yield from self._start(event["index"], event["content_block"])
            case "content_block_delta":
                yield from self._delta(event["index"], event["delta"])
            case "content_block_stop":
                yield from self._stop(event["index"])
            case "message_delta":
                self._conclude(event)
            case "message_stop":
                self.finished = True

    def _begin(self, message: Mapping[str, Any]) -> None:
        self.response_id = message.get("id")
        self.response_model = message.get("model")
        self._count(message.get("usage") or {})

    def _start(self, index: int, block: Mapping[str, Any]) -> Iterator[Delta]:
        if self._open is not None:
            yield from self._stop(self._open.index)
        kind, place = block["type"], len(self.blocks)
        opened = _Open(index, kind)
        if kind == "tool_use":
            opened.call_id, opened.name = str(block["id"]), self._own_name(str(block["name"]))
            opened.given = block.get("input") or {}
            yield ToolCallStart(place, opened.call_id, opened.name)
        elif kind == "text":
            yield TextStart(place)
            yield from _piece(opened, TextDelta, place, block.get("text") or "")
        elif kind == "thinking":
            opened.signature = block.get("signature") or ""
            yield ThinkingStart(place)
            yield from _piece(opened, ThinkingDelta, place, block.get("thinking") or "")
        elif kind == "redacted_thinking":
            opened.signature = str(block["data"])
            yield ThinkingStart(place)
            yield from _piece(opened, ThinkingDelta, place, REDACTED)
        else:
            return
        self._open = opened

    def _delta(self, index: int, delta: Mapping[str, Any]) -> Iterator[Delta]:
        opened, place = self._open, len(self.blocks)
        if opened is None or opened.index != index:
            return
        match (delta["type"], opened.kind):
            case ("text_delta", "text"):
                yield from _piece(opened, TextDelta, place, delta["text"])
            case ("thinking_delta", "thinking"):
                yield from _piece(opened, ThinkingDelta, place, delta["thinking"])
            case ("signature_delta", "thinking"):
                opened.signature += delta["signature"]
            case ("input_json_delta", "tool_use"):
                yield from _piece(opened, ToolCallDelta, place, delta["partial_json"])

    def _stop(self, index: int) -> Iterator[Delta]:
        opened, place = self._open, len(self.blocks)
        if opened is None or opened.index != index:
            return
        self._open = None
        if opened.kind == "text":
            self.blocks.append(Text(opened.text))
            yield TextEnd(place, opened.text)
        elif opened.kind == "tool_use":
            arguments = self._arguments(opened)
            if arguments is not None:
                call = ToolCall(opened.call_id, opened.name, arguments)
                self.blocks.append(call)
                yield ToolCallEnd(place, call)
        else:
            redacted = True if opened.kind == "redacted_thinking" else None
            self.blocks.append(Thinking(opened.text, opened.signature or None, redacted))
            yield ThinkingEnd(place, opened.text)

    def _arguments(self, opened: _Open) -> dict[str, Any] | None:
        """The arguments of a finished tool call; `None`, and `broken` set, when they are no JSON object."""
        if not opened.text.strip():
            return dict(opened.given)
        try:
            arguments = json.loads(opened.text, strict=False, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            arguments = None
        if isinstance(arguments, dict):
            cleaned: dict[str, Any] = whole(arguments)
            return cleaned
        self.broken = opened.name
        return None

    def _conclude(self, event: Mapping[str, Any]) -> None:
        delta = event.get("delta") or {}
        self.stop_reason = delta.get("stop_reason") or self.stop_reason
        self.stop_text = str((delta.get("stop_details") or {}).get("explanation") or "")
        self._count(event.get("usage") or {})

    def _count(self, usage: Mapping[str, Any]) -> None:
        """Counts that are absent or null keep what was known: gateways leave some out of the last event."""
        known = self.usage

        def newest(name: str, before: int) -> int:
            value = usage.get(name)
            return before if value is None else int(value)

        read = newest("cache_read_input_tokens", known.cache_read)
        write = newest("cache_creation_input_tokens", known.cache_write)
        incoming, outgoing = newest("input_tokens", known.input), newest("output_tokens", known.output)
        self.usage = Usage(incoming, outgoing, read, write, incoming + outgoing + read + write)
        hour = (usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens")
        self.hour_writes = self.hour_writes if hour is None else int(hour)

    def close(self) -> Iterator[Delta]:
        """Close the block a finished answer left open; an unfinished tool call is dropped."""
        if self._open is None:
            return
        if self._open.kind == "tool_use":
            self.broken, self._open = self._open.name, None
        else:
            yield from self._stop(self._open.index)

    @property
    def partial(self) -> tuple[Block, ...]:
        """What has arrived so far, without a tool call still under way."""
        opened = self._open
        if opened is None or opened.kind == "tool_use" or not opened.text:
            return tuple(self.blocks)
        last: Block = Text(opened.text) if opened.kind == "text" else Thinking(opened.text)
        return (*self.blocks, last)


def _piece(
    opened: _Open, make: type[TextDelta] | type[ThinkingDelta] | type[ToolCallDelta], place: int, text: str
) -> Iterator[Delta]:
    if not isinstance(text, str):
        raise TypeError(f"a piece of type {type(text).__name__}")
    if text:
        text = whole_text(text)
        opened.pieces.append(text)
        yield make(place, text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def parse_event(data: str) -> Mapping[str, Any]:
    """The JSON object of an event."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"is no JSON ({error})", data) from error
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise _unreadable("is no object with a type", data)
    return event


def _unreadable(what: str, data: str) -> RequestFailedError:
    return failed(ErrorKind.MALFORMED, f"Anthropic sent an event that {what}: {data[:200]!r}.")
