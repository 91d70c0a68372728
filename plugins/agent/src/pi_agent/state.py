"""What a run works with, and how far it has come."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pi_api.errors import ProviderFailure
from pi_api.messages import AssistantMessage, Message, ToolCall, ToolResultMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.provider import Provider, ProviderMessage, Request, ToolSchema
from pi_api.tool import Tool, ToolContext, ToolResult
from pi_kernel.bus import Bus

from pi_agent.answer import Answer
from pi_agent.convert import Projection
from pi_agent.queues import Waiting
from pi_agent.schema import Schemas
from pi_agent.stall import StallGuard


@dataclass(frozen=True, slots=True)
class Surface:
    """What the next request is made with; asked for before each, so that changes take effect there."""

    provider: Provider
    model: Model
    tools: Mapping[str, Tool] = field(default_factory=dict)
    thinking: ThinkingLevel = ThinkingLevel.OFF
    system_prompt: str = ""
    api_key: str | None = None
    cache_retention: Literal["none", "short", "long"] = "short"
    session_id: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def request(self, messages: Sequence[ProviderMessage], *, with_tools: bool) -> Request:
        """A request for these messages."""
        tools = [ToolSchema(tool.name, tool.description, tool.schema) for tool in self.tools.values()]
        return Request(
            self.model,
            self.system_prompt,
            messages,
            tools if with_tools else (),
            self.thinking,
            api_key=self.api_key,
            cache_retention=self.cache_retention,
            session_id=self.session_id,
            options=self.options,
        )


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """The world of the loop.

    `messages` is the live context; `record` adds to it for good and may answer with a problem. `take_steering` and
    `take_follow_ups` hand over what waits, `queue_changed` tells about it. `context` is what a tool call runs in.
    """

    bus: Bus
    surface: Callable[[], Surface]
    messages: Callable[[], Sequence[Message]]
    record: Callable[[Message], str | None]
    context: Callable[[ToolCall, "Batch"], ToolContext]
    clock: Callable[[], int]
    take_steering: Callable[[], list[Waiting]] = list
    take_follow_ups: Callable[[], list[Waiting]] = list
    queue_changed: Callable[[], Coroutine[Any, Any, None]] | None = None
    schemas: Schemas = field(default_factory=Schemas)
    projection: Projection = field(default_factory=Projection)


@dataclass(slots=True)
class Batch:
    """The calls of one answer. `started` counts those announced; results are stored in the order of the calls."""

    calls: tuple[ToolCall, ...]
    outcomes: dict[int, ToolResult] = field(default_factory=dict)
    started: int = 0
    ended: set[int] = field(default_factory=set)
    stored: list[ToolResultMessage] = field(default_factory=list)
    running: dict[int, asyncio.Task[ToolResult]] = field(default_factory=dict)


@dataclass(slots=True)
class RunState:
    """How far a run has come; enough to bring it to an orderly end from any point.

    `pending` was said but is not stored yet. `accepted`: there is something to run; `ended`: its end is being
    announced; `left`: it may store nothing any more. `opened` is the message whose `MessageStart` was sent and whose
    `MessageEnd` was not; `answered` the stored answer of the open turn; `attempt` counts retries under way; `step` is
    what an abort lets finish.
    """

    guard: StallGuard = field(default_factory=StallGuard)
    pending: list[Message] = field(default_factory=list)
    added: list[Message] = field(default_factory=list)
    accepted: bool = False
    ended: bool = False
    left: bool = False
    agent_open: bool = False
    turns: int = 0
    turn_open: bool = False
    opened: Message | None = None
    answer: Answer | None = None
    answered: AssistantMessage | None = None
    batch: Batch | None = None
    results: tuple[ToolResultMessage, ...] = ()
    closing: bool = False
    attempt: int = 0
    failure: ProviderFailure | None = None
    problems: list[str] = field(default_factory=list)
    step: asyncio.Task[Any] | None = None
