"""Providers: where models come from and how an answer is streamed."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pi_api.messages import AssistantMessage, ToolResultMessage, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.stream import StreamEvent

ProviderMessage = UserMessage | AssistantMessage | ToolResultMessage
"""The only messages a provider sees; the agent turns all others into these."""


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model is told of it; `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a model.

    `api_key` overrides the provider's own look-up. `cache_retention` asks for prompt caching; `session_id` lets
    a provider keep related requests together. `options` are the provider's settings section as plain data.
    """

    model: Model
    system_prompt: str
    messages: Sequence[ProviderMessage]
    tools: Sequence[ToolSchema] = ()
    thinking: ThinkingLevel = ThinkingLevel.OFF
    max_tokens: int | None = None
    temperature: float | None = None
    api_key: str | None = None
    cache_retention: Literal["none", "short", "long"] = "short"
    session_id: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


class PayloadHook(Protocol):
    """Sees, and may replace, the JSON payload just before it is sent."""

    async def __call__(self, payload: dict[str, Any]) -> dict[str, Any]: ...


class ResponseHook(Protocol):
    """Sees the status and headers of the response before its body."""

    async def __call__(self, status: int, headers: Mapping[str, str]) -> None: ...


class Provider(Protocol):
    """A source of models.

    `unavailable` says in one sentence why requests would fail and what to do (no key, say), or `None` when they would
    not; `env` is the environment to look for keys in. A provider with `last_resort` is chosen by itself only when no
    other is available; the first of its models is its default. Cancelling the iteration of `stream` closes the
    connection.
    """

    @property
    def name(self) -> str: ...

    @property
    def last_resort(self) -> bool: ...

    @property
    def secret_variables(self) -> Sequence[str]:
        """Environment variables that hold its keys; commands the model runs do not see them."""
        ...

    def models(self) -> Sequence[Model]: ...

    def unavailable(self, env: Mapping[str, str]) -> str | None: ...

    def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> AsyncIterator[StreamEvent]: ...
