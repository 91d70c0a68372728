"""Messages and their content blocks, as they stand in sessions, on the wire and in provider requests.

The JSON of every type is pi's message format (session format v3): camelCase keys, `role` or `type` as the tag,
timestamps in milliseconds since 1970. Keys that a type does not know are kept in `extra`, so opaque provider fields
survive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pi_api.codec import Record, decode, tagged
from pi_api.usage import Usage

StopReason = Literal["stop", "length", "toolUse", "error", "aborted"]


@dataclass(frozen=True, slots=True)
class Text(Record):
    """Text; `text_signature` is opaque and goes back to the provider that gave it."""

    TAG: ClassVar = ("type", "text")
    text: str
    text_signature: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thinking(Record):
    """Reasoning text; `thinking_signature` is opaque, `redacted` means the text itself is withheld."""

    TAG: ClassVar = ("type", "thinking")
    thinking: str
    thinking_signature: str | None = None
    redacted: bool | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image(Record):
    """An image: base64 `data` of MIME type `mime_type`."""

    TAG: ClassVar = ("type", "image")
    data: str
    mime_type: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall(Record):
    """The model's wish to run the tool `name` with `arguments`; `id` ties the result to it."""

    TAG: ClassVar = ("type", "toolCall")
    id: str
    name: str
    arguments: dict[str, Any]
    thought_signature: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


UserContent = str | tuple[Text | Image, ...]
AssistantContent = tuple[Text | Thinking | ToolCall, ...]
ResultContent = tuple[Text | Image, ...]

BLOCKS = tagged(Text, Thinking, Image, ToolCall)


def content_from_json(data: Any) -> Any:
    """A string stays; a list becomes a tuple of blocks. `ValueError` for a block of unknown type."""
    return data if isinstance(data, str) else tuple(decode(block, BLOCKS, "type") for block in data)


_CONTENT: Mapping[str, Callable[[Any], Any]] = {"content": content_from_json, "usage": Usage.from_json}


@dataclass(frozen=True, slots=True)
class UserMessage(Record):
    """What the user said."""

    TAG: ClassVar = ("role", "user")
    NESTED: ClassVar = _CONTENT
    content: UserContent
    timestamp: int
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AssistantMessage(Record):
    """What the model said. With `stop_reason` error or aborted, `error_message` says why and `error_kind` its class.

    `error_kind` is a value of `pi_api.errors.ErrorKind`.
    """

    TAG: ClassVar = ("role", "assistant")
    NESTED: ClassVar = _CONTENT
    content: AssistantContent
    api: str
    provider: str
    model: str
    usage: Usage
    stop_reason: StopReason
    timestamp: int
    error_message: str | None = None
    error_kind: str | None = None
    response_id: str | None = None
    response_model: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text blocks, joined."""
        return "".join(block.text for block in self.content if isinstance(block, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(block for block in self.content if isinstance(block, ToolCall))


@dataclass(frozen=True, slots=True)
class ToolResultMessage(Record):
    """What a tool answered; `error_kind`: `tool_failure` (could not run) or `operation_outcome` (ran, said no)."""

    TAG: ClassVar = ("role", "toolResult")
    NESTED: ClassVar = _CONTENT
    tool_call_id: str
    tool_name: str
    content: ResultContent
    is_error: bool
    timestamp: int
    details: Any = None
    usage: Usage | None = None
    error_kind: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BashExecution(Record):
    """A command the user ran with `!`; `exclude_from_context` hides it from the model (`!!`)."""

    TAG: ClassVar = ("role", "bashExecution")
    command: str
    output: str
    cancelled: bool
    truncated: bool
    timestamp: int
    exit_code: int | None = None
    full_output_path: str | None = None
    exclude_from_context: bool | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CustomMessage(Record):
    """A plugin's message to the model; `display` tells whether people are shown it."""

    TAG: ClassVar = ("role", "custom")
    NESTED: ClassVar = _CONTENT
    custom_type: str
    content: UserContent
    display: bool
    timestamp: int
    details: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BranchSummary(Record):
    """What happened on a branch that was left at `from_id`."""

    TAG: ClassVar = ("role", "branchSummary")
    summary: str
    from_id: str
    timestamp: int
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompactionSummary(Record):
    """What stands for the compacted beginning of a session; `tokens_before` is what that beginning took."""

    TAG: ClassVar = ("role", "compactionSummary")
    summary: str
    tokens_before: int
    timestamp: int
    extra: Mapping[str, Any] = field(default_factory=dict)


Message = (
    UserMessage
    | AssistantMessage
    | ToolResultMessage
    | BashExecution
    | CustomMessage
    | BranchSummary
    | CompactionSummary
)

MESSAGES = tagged(
    UserMessage, AssistantMessage, ToolResultMessage, BashExecution, CustomMessage, BranchSummary, CompactionSummary
)


def message_from_json(data: Mapping[str, Any]) -> Message:
    """The message a JSON object stands for; `ValueError` names the unknown role or the missing field."""
    message: Message = decode(data, MESSAGES, "role")
    return message
