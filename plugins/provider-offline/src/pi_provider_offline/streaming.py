"""A reply as the stream of events that a provider gives."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import AssistantMessage, Text, Thinking, ToolCall
from pi_api.provider import Request
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
from pi_api.usage import Usage

_PIECE = re.compile(r".{1,16}(?:\s|\Z)|.{1,16}", re.DOTALL)

Block = Text | Thinking | ToolCall


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: thinking, text and tool calls in this order, then perhaps a failure.

    `wait` are seconds before the first event, `delay` seconds before every other. A `cut` answer stops for want of
    length.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    ids: tuple[str, ...] = ()
    failure: ProviderFailure | None = None
    cut: bool = False
    wait: float = 0.0
    delay: float = 0.0
    usage: Usage | None = None

    def blocks(self, turn: int) -> tuple[Block, ...]:
        ids = self.ids or tuple(f"offline_{turn}_{place}" for place in range(1, len(self.calls) + 1))
        return (
            *([Thinking(self.thinking)] if self.thinking else ()),
            *([Text(self.text)] if self.text else ()),
            *(ToolCall(one, name, arguments) for one, (name, arguments) in zip(ids, self.calls, strict=True)),
        )


async def stream_reply(request: Request, reply: Reply) -> AsyncIterator[StreamEvent]:
    """Stream a reply; a cancelled iteration simply stops, there is nothing to close."""
    blocks = reply.blocks(len(request.messages))
    await asyncio.sleep(reply.wait)
    yield Start()
    for index, block in enumerate(blocks):
        for event in block_events(index, block):
            await asyncio.sleep(reply.delay)
            yield event
    if reply.failure is not None:
        stop = "aborted" if reply.failure.kind is ErrorKind.ABORTED else "error"
        yield Failed(message(request, reply, blocks, stop), reply.failure)
        return
    stop = "length" if reply.cut else "toolUse" if reply.calls else "stop"
    yield Done(message(request, reply, blocks, stop))


def block_events(index: int, block: Block) -> Iterator[StreamEvent]:
    """The events of one content block."""
    if isinstance(block, Text):
        yield TextStart(index)
        yield from (TextDelta(index, piece) for piece in pieces(block.text))
        yield TextEnd(index, block.text)
    elif isinstance(block, Thinking):
        yield ThinkingStart(index)
        yield from (ThinkingDelta(index, piece) for piece in pieces(block.thinking))
        yield ThinkingEnd(index, block.thinking)
    else:
        yield ToolCallStart(index, block.id, block.name)
        yield from (ToolCallDelta(index, piece) for piece in pieces(json.dumps(block.arguments, ensure_ascii=False)))
        yield ToolCallEnd(index, block)


def pieces(text: str) -> list[str]:
    """The text in pieces of at most 17 characters that end between words where they can."""
    return _PIECE.findall(text)


def message(request: Request, reply: Reply, blocks: tuple[Block, ...], stop: Any) -> AssistantMessage:
    """The finished message of a reply."""
    failure = reply.failure
    return AssistantMessage(
        content=blocks,
        api=request.model.api,
        provider=request.model.provider,
        model=request.model.id,
        usage=request.model.price(reply.usage or simulated(request, blocks)),
        stop_reason=stop,
        timestamp=int(time.time() * 1000),
        error_message=failure.message if failure else None,
        error_kind=failure.kind.value if failure else None,
    )


def simulated(request: Request, blocks: tuple[Block, ...]) -> Usage:
    """About four characters a token, as language models have it; what earlier turns sent counts as read from cache."""
    read = [json.dumps(one.to_json(), ensure_ascii=False) for one in request.messages]
    new = tokens("".join(read[-1:]))
    cached = tokens(request.system_prompt + "".join(read[:-1])) if len(read) > 1 else 0
    if len(read) <= 1:
        new += tokens(request.system_prompt)
    output = tokens("".join(json.dumps(block.to_json(), ensure_ascii=False) for block in blocks))
    return Usage(new, output, cached, 0, new + output + cached)


def tokens(text: str) -> int:
    """A guess at the tokens of a text."""
    return -(-len(text) // 4)
