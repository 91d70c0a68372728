"""What a provider's stream is made of.

A stream is an async iterator of these events. It never raises: it ends with exactly one `Done` or `Failed`.
`content_index` counts the blocks of the answer from 0.
"""

from dataclasses import dataclass

from pi_api.errors import ProviderFailure
from pi_api.messages import AssistantMessage, ToolCall


@dataclass(frozen=True, slots=True)
class Start:
    """The provider has begun to answer."""


@dataclass(frozen=True, slots=True)
class TextStart:
    """A text block begins."""

    content_index: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of a text block."""

    content_index: int
    delta: str


@dataclass(frozen=True, slots=True)
class TextEnd:
    """A text block is complete."""

    content_index: int
    content: str


@dataclass(frozen=True, slots=True)
class ThinkingStart:
    """A block of reasoning begins."""

    content_index: int


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of a block of reasoning."""

    content_index: int
    delta: str


@dataclass(frozen=True, slots=True)
class ThinkingEnd:
    """A block of reasoning is complete."""

    content_index: int
    content: str


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A tool call begins."""

    content_index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A piece of the arguments' JSON text; no piece need be valid JSON by itself."""

    content_index: int
    delta: str


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """A tool call is complete."""

    content_index: int
    tool_call: ToolCall


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is complete; `message.stop_reason` is stop, length or toolUse."""

    message: AssistantMessage


@dataclass(frozen=True, slots=True)
class Failed:
    """The request failed or was aborted; `message` holds what had arrived, with stop reason error or aborted."""

    message: AssistantMessage
    failure: ProviderFailure


Delta = (
    Start
    | TextStart
    | TextDelta
    | TextEnd
    | ThinkingStart
    | ThinkingDelta
    | ThinkingEnd
    | ToolCallStart
    | ToolCallDelta
    | ToolCallEnd
)
StreamEvent = Delta | Done | Failed
