"""Reading a provider's stream into one assistant message, whatever the provider does."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.events import MessageUpdate, ProviderPayload, ProviderResponse
from pi_api.messages import AssistantMessage, StopReason, Text, Thinking, ToolCall
from pi_api.model import Model
from pi_api.provider import Provider, Request
from pi_api.stream import (
    Delta,
    Done,
    Failed,
    Start,
    TextDelta,
    TextEnd,
    ThinkingDelta,
    ThinkingEnd,
    ToolCallEnd,
)
from pi_api.usage import Usage
from pi_kernel.bus import Bus

Ended = tuple[AssistantMessage, ProviderFailure | None]

CLOSE_DEADLINE = 5.0
"""Seconds a provider may take to close a stream."""

_DELTAS = frozenset(get_args(Delta))


class _BrokenStream(Exception):
    """A stream that does not keep the contract; `kind` is the class of failure it counts as."""

    def __init__(self, kind: ErrorKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(slots=True)
class Answer:
    """An answer as far as it has arrived; `final` is the complete one."""

    model: Model
    timestamp: int
    blocks: dict[int, Text | Thinking | ToolCall] = field(default_factory=dict)
    pieces: dict[int, list[str]] = field(default_factory=dict)
    final: AssistantMessage | None = None

    def add(self, event: Delta) -> None:
        """Take in a piece. Calls count once they are complete."""
        match event:
            case TextDelta(index, delta) | ThinkingDelta(index, delta):
                self.pieces.setdefault(index, []).append(delta)
                if index not in self.blocks:
                    self.blocks[index] = Text("") if isinstance(event, TextDelta) else Thinking("")
            case TextEnd(index, content):
                self._complete(index, Text(content))
            case ThinkingEnd(index, content):
                self._complete(index, Thinking(content))
            case ToolCallEnd(index, call):
                self._complete(index, call)

    def message(self, stop: StopReason, **fields: Any) -> AssistantMessage:
        """What has arrived, with a stop reason; `fields` are further fields of the message."""
        if self.final is not None:
            return replace(self.final, stop_reason=stop, **fields)
        model = self.model
        content = tuple(self._block(index) for index in sorted(self.blocks))
        return AssistantMessage(content, model.api, model.provider, model.id, Usage(), stop, self.timestamp, **fields)

    def _complete(self, index: int, block: Text | Thinking | ToolCall) -> None:
        self.pieces.pop(index, None)
        self.blocks[index] = block

    def _block(self, index: int) -> Text | Thinking | ToolCall:
        block = self.blocks[index]
        if index not in self.pieces:
            return block
        arrived = "".join(self.pieces[index])
        return Thinking(arrived) if isinstance(block, Thinking) else Text(arrived)


async def read_answer(
    provider: Provider, request: Request, answer: Answer, bus: Bus, begin: Callable[[], Awaitable[None]]
) -> Ended:
    """Read one answer to its end; never raises, except when it is cancelled.

    `begin` is called when the provider starts to answer. Each piece goes to the bus as a `MessageUpdate` and into
    `answer`. A stream that raises, ends early or yields what it should not counts as failed.
    """
    empty = answer.message("stop")
    stream: Any = None
    begun = False
    try:
        stream = provider.stream(request, on_payload=_payload_hook(bus, request.model), on_response=_response_hook(bus))
        async for event in stream:
            if isinstance(event, Done | Failed):
                return _checked(event)
            if type(event) not in _DELTAS:
                what = f"the provider {provider.name!r} sent {type(event).__name__}, which is no stream event"
                raise _BrokenStream(ErrorKind.MALFORMED, what)
            if not begun:
                begun = True
                await begin()
            if not isinstance(event, Start):
                answer.add(event)
                await bus.emit(MessageUpdate(empty, event))
        what = f"the stream of the provider {provider.name!r} ended without a terminal result"
        raise _BrokenStream(ErrorKind.STREAM_STALL, what)
    except asyncio.CancelledError:
        if _is_cancelled():
            raise
        return _failed(answer, ErrorKind.UNKNOWN, f"the provider {provider.name!r} cancelled its own stream")
    except _BrokenStream as error:
        return _failed(answer, error.kind, str(error))
    except (Exception, SystemExit) as error:
        text = f"the provider {provider.name!r} raised {type(error).__name__}: {error}"
        return _failed(answer, ErrorKind.UNKNOWN, text)
    finally:
        await _close(stream)


def _is_cancelled() -> bool:
    """The running task was asked to end; otherwise a `CancelledError` is somebody's own affair."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _checked(event: Done | Failed) -> Ended:
    message = event.message
    if not isinstance(message, AssistantMessage):
        raise _BrokenStream(ErrorKind.MALFORMED, f"the stream ended with {type(message).__name__} as its message")
    if isinstance(event, Done):
        if message.stop_reason not in ("stop", "length", "toolUse"):
            what = f"the stream ended well with the stop reason {message.stop_reason!r}"
            raise _BrokenStream(ErrorKind.MALFORMED, what)
        return replace(message, content=with_own_ids(message)), None
    failure = event.failure
    return replace(
        message,
        stop_reason="aborted" if message.stop_reason == "aborted" else "error",
        error_message=message.error_message or failure.message,
        error_kind=message.error_kind or str(failure.kind),
    ), failure


def _failed(answer: Answer, kind: ErrorKind, text: str) -> Ended:
    return answer.message("error", error_message=text, error_kind=str(kind)), ProviderFailure(kind, text)


def with_own_ids(message: AssistantMessage) -> tuple[Text | Thinking | ToolCall, ...]:
    """The content with an id of its own for each call; some local models repeat or omit them."""
    calls = message.tool_calls
    if len({call.id for call in calls}) == len(calls) and all(call.id for call in calls):
        return message.content
    taken: set[str] = set()
    blocks: list[Text | Thinking | ToolCall] = []
    for at, block in enumerate(message.content):
        if isinstance(block, ToolCall) and (not block.id or block.id in taken):
            block = replace(block, id=f"{block.id or 'call'}-{message.timestamp}-{at}")
        if isinstance(block, ToolCall):
            taken.add(block.id)
        blocks.append(block)
    return tuple(blocks)


async def _close(stream: Any) -> None:
    """Close a stream that was left before its end; one that resists is left alone."""
    close = getattr(stream, "aclose", None)
    if close is None:
        return
    try:
        async with asyncio.timeout(CLOSE_DEADLINE):
            await close()
    except Exception:
        # The answer is complete or lost already: what the provider says while leaving changes neither.
        return


def _payload_hook(bus: Bus, model: Model) -> Any:
    async def on_payload(payload: dict[str, Any]) -> dict[str, Any]:
        return (await bus.emit(ProviderPayload(model, payload))).payload

    return on_payload


def _response_hook(bus: Bus) -> Any:
    async def on_response(status: int, headers: Mapping[str, str]) -> None:
        await bus.emit(ProviderResponse(status, headers))

    return on_response
