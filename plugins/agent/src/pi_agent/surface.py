"""What a session's requests are made with: its provider, its active tools, its system prompt."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pi_api import PROMPT, SETTINGS, service
from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.kinds import PROVIDERS, TOOLS
from pi_api.messages import AssistantMessage
from pi_api.model import Model
from pi_api.provider import PayloadHook, Provider, Request, ResponseHook
from pi_api.services import PromptInputs
from pi_api.session import SessionOptions
from pi_api.stream import Failed, StreamEvent
from pi_api.tool import Tool
from pi_api.usage import Usage

from pi_agent.texts import text

if TYPE_CHECKING:
    from pi_kernel import Kernel

    from pi_agent.settings import AgentSettings


class MissingProvider:
    """Stands for a provider that is not installed: every request fails and says so."""

    last_resort = False
    secret_variables: tuple[str, ...] = ()

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self._known = ", ".join(sorted(known)) or "none"

    def models(self) -> Sequence[Model]:
        return ()

    def unavailable(self, env: Mapping[str, str]) -> str:
        return f"there is no provider {self.name!r}; install its plugin or choose a model of another ({self._known})"

    async def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> AsyncIterator[StreamEvent]:
        model, why, kind = request.model, self.unavailable({}), ErrorKind.INVALID_REQUEST
        message = AssistantMessage(
            (), model.api, model.provider, model.id, Usage(), "error", 0, error_message=why, error_kind=str(kind)
        )
        yield Failed(message, ProviderFailure(kind, why))


def provider_of(kernel: "Kernel", model: Model) -> Provider:
    """The provider of a model, or one that says that there is none."""
    found = kernel.get(PROVIDERS, model.provider)
    return found or MissingProvider(model.provider, [one.name for one in kernel.all(PROVIDERS)])


def active_tools(kernel: "Kernel", options: SessionOptions, chosen: Sequence[str] | None) -> list[Tool]:
    """The tools the model is offered, in the order of registration.

    `chosen` (set while the session runs) or else `options.tools` or else each tool's own `active` decides;
    `options.without_tools` is taken away in every case.
    """
    allowed = options.tools if chosen is None else frozenset(chosen)
    tools = [found.value for found in kernel.all(TOOLS) if found.name not in options.without_tools]
    return [tool for tool in tools if (tool.active if allowed is None else tool.name in allowed)]


def system_prompt(kernel: "Kernel", options: SessionOptions, tools: Sequence[Tool], date: str) -> str:
    """What the prompt service builds, or the fallback when none is installed."""
    builder = service(kernel, PROMPT)
    if builder is not None:
        return builder.build(PromptInputs(options.cwd, tools, options.trusted, options.flags, date))
    return fallback_prompt(options, tools, date)


def fallback_prompt(options: SessionOptions, tools: Sequence[Tool], date: str) -> str:
    """A short system prompt of our own."""
    lines = [f"- {tool.name}: {tool.snippet}" for tool in tools if tool.snippet]
    listed = "\n".join(["Your tools:", *lines]) if tools else "You have no tools."
    return text("fallback_prompt").format(cwd=options.cwd, tools=listed, date=date)


def agent_settings(kernel: "Kernel") -> "AgentSettings":
    """The agent's settings as merged now."""
    from pi_agent.settings import AgentSettings

    settings = service(kernel, SETTINGS)
    return AgentSettings() if settings is None else settings.read("", AgentSettings)


def provider_options(kernel: "Kernel", provider: str) -> Mapping[str, Any]:
    """The settings section that bears a provider's name, as plain data."""
    settings = service(kernel, SETTINGS)
    section = None if settings is None else settings.get(provider)
    return section if isinstance(section, Mapping) else {}
