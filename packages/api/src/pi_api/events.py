"""The events of a session. How answers are folded is told by each event's base (see `pi_kernel.bus`).

Order for one prompt: `Input`, `BeforeAgentStart`, `SystemPrompt`, `AgentStart`; then per turn `TurnStart`,
`BuildContext`, `ProviderPayload`, `ProviderResponse`, `MessageStart`/`MessageUpdate`/`MessageEnd`, per tool call
`ToolStart`, `ToolGate`, `ToolUpdate`, `ToolResultReady`, `ToolEnd`, and `TurnEnd`; last `AgentEnd`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pi_kernel.bus import Chain, Collect, First, Gate, Observe, Pipeline

from pi_api.errors import ProviderFailure
from pi_api.messages import AssistantMessage, CustomMessage, Image, Message, ToolResultMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.stream import Delta
from pi_api.tool import ToolResult

StartReason = Literal["startup", "reload", "new", "resume", "fork"]
StopReason = Literal["quit", "reload", "new", "resume", "fork"]
Delivery = Literal["steer", "followUp"]
Source = Literal["interactive", "print", "rpc", "plugin"]


@dataclass(frozen=True, slots=True)
class SessionStart(Observe):
    """A session is ready for its first prompt; `previous` is the session file it came from."""

    reason: StartReason
    previous: Path | None = None


@dataclass(frozen=True, slots=True)
class SessionShutdown(Observe):
    """A session is about to end: release what belongs to it."""

    reason: StopReason


@dataclass(frozen=True, slots=True)
class SessionBeforeSwitch(Gate):
    """Another session is about to replace this one; blocking keeps this one."""

    reason: Literal["new", "resume"]
    target: Path | None = None


@dataclass(frozen=True, slots=True)
class SessionBeforeFork(Gate):
    """A session is about to be forked `before` or `at` an entry; blocking keeps this one."""

    entry_id: str
    position: Literal["before", "at"]


@dataclass(frozen=True, slots=True)
class Input(Pipeline):
    """The user said something. Transform it, or answer `Handled()` when nothing is to reach the model."""

    text: str
    images: tuple[Image, ...] = ()
    source: Source = "interactive"
    delivery: Delivery | None = None


@dataclass(frozen=True, slots=True)
class BeforeAgentStart(Collect[CustomMessage]):
    """A prompt is about to be run; answers are stored and sent after it."""

    prompt: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class SystemPrompt(Chain):
    """The system prompt of the run about to start; replace `text` for this run only."""

    text: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentStart(Observe):
    """A run has begun."""


@dataclass(frozen=True, slots=True)
class AgentEnd(Observe):
    """A run has ended; `messages` are those it added, `will_retry` that another attempt follows by itself."""

    messages: tuple[Message, ...]
    will_retry: bool = False


@dataclass(frozen=True, slots=True)
class TurnStart(Observe):
    """One model answer with its tool calls begins; `index` counts from 0 within the run, `timestamp` is in ms."""

    index: int
    timestamp: int


@dataclass(frozen=True, slots=True)
class TurnEnd(Observe):
    """The answer and the results of its tool calls, in the order the model made the calls."""

    index: int
    message: AssistantMessage
    tool_results: tuple[ToolResultMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageStart(Observe):
    """A message begins; an assistant message has no content yet."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageUpdate(Observe):
    """A piece of the assistant message that is being streamed; `message` is that message without content."""

    message: AssistantMessage
    delta: Delta


@dataclass(frozen=True, slots=True)
class MessageEnd(Chain):
    """A message is complete and about to be stored; it may be replaced by one of the same role."""

    message: Message


@dataclass(frozen=True, slots=True)
class BuildContext(Chain):
    """The messages of the next request; replacing them changes that request, not the session."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ProviderPayload(Chain):
    """The JSON a provider is about to send."""

    model: Model
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ProviderResponse(Observe):
    """A provider has answered with a status and headers; the body follows."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ToolStart(Observe):
    """A tool call is about to be prepared; `arguments` are the model's own."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolGate(Gate):
    """May this call run? `input` may be changed in place and is validated again."""

    call_id: str
    tool: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUpdate(Observe):
    """A running tool shows what it has so far (cumulative)."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]
    partial: ToolResult


@dataclass(frozen=True, slots=True)
class ToolResultReady(Chain):
    """A tool has answered; the result may be replaced before the model and the session get it."""

    call_id: str
    tool: str
    input: Mapping[str, Any]
    result: ToolResult


@dataclass(frozen=True, slots=True)
class ToolEnd(Observe):
    """A tool call is over; calls of one batch end in the order in which they finish."""

    call_id: str
    tool: str
    result: ToolResult


@dataclass(frozen=True, slots=True)
class QueueUpdate(Observe):
    """The texts waiting to be delivered: steering after the current turn, follow-ups when the run would end."""

    steering: tuple[str, ...]
    follow_up: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retry:
    """An answer to `RunFailed`: try again after `delay` seconds."""

    delay: float
    max_attempts: int = 0


@dataclass(frozen=True, slots=True)
class RunFailed(First[Retry]):
    """A run ended in a provider failure; whoever owns retries answers with a `Retry`. `attempt` counts from 1."""

    failure: ProviderFailure
    message: AssistantMessage
    attempt: int


@dataclass(frozen=True, slots=True)
class RetryStart(Observe):
    """The failed run will be repeated after `delay` seconds."""

    attempt: int
    max_attempts: int
    delay: float
    error: str


@dataclass(frozen=True, slots=True)
class RetryEnd(Observe):
    """Retrying is over."""

    success: bool
    attempt: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class UserBash(First[Mapping[str, Any]]):
    """The user runs a command with `!`; an answer {output, exitCode, cancelled, truncated} replaces running it here."""

    command: str
    exclude_from_context: bool
    cwd: Path


@dataclass(frozen=True, slots=True)
class ModelSelected(Observe):
    """The session's model changed."""

    model: Model
    previous: Model | None
    source: Literal["set", "cycle", "restore"]


@dataclass(frozen=True, slots=True)
class ThinkingSelected(Observe):
    """The session's thinking level changed."""

    level: ThinkingLevel
    previous: ThinkingLevel


@dataclass(frozen=True, slots=True)
class SessionNamed(Observe):
    """The session's name changed; `None` clears it."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Notice(Observe):
    """Something a person should see: `warning` or `error` is the same on every screen, `info` may be left out."""

    text: str
    level: Literal["info", "warning", "error"] = "warning"
    details: Mapping[str, Any] = field(default_factory=dict)
