"""Services: the few singletons that plugins find by key instead of importing each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from pi_api.session import Session, SessionOptions
from pi_api.settings import Settings
from pi_api.shell import ShellRouter
from pi_api.tool import Tool

if TYPE_CHECKING:
    from pi_kernel import Kernel
    from pi_kernel.tree import SessionInfo, SessionTree

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServiceKey(Generic[T]):
    """Names a service and carries its type."""

    name: str


@dataclass(frozen=True, slots=True)
class Service(Generic[T]):
    """An implementation of a service; `create` is called once, when the service is first asked for."""

    key: ServiceKey[T]
    create: Callable[["Kernel"], T]

    @property
    def name(self) -> str:
        return self.key.name


class Trust(Protocol):
    """Which projects may bring their own settings, plugins, skills and context."""

    def needed(self, cwd: Path) -> bool:
        """The directory holds, or stands below, something that only a trusted project may bring."""
        ...

    def decision(self, cwd: Path) -> bool | None:
        """What was decided for this directory; `None`: nothing yet."""
        ...

    def decide(self, cwd: Path, trusted: bool | None) -> None:
        """Store a decision; `None` forgets it."""
        ...

    def trusted(self, cwd: Path, flags: Mapping[str, Any]) -> bool:
        """The answer for this run: the flags `approve` and `no-approve`, then the stored decision, else no."""
        ...


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session tree ready for use, and how it came about."""

    tree: "SessionTree"
    reason: Literal["startup", "new", "resume", "fork"]
    previous: Path | None = None


class SessionStore(Protocol):
    """Where sessions are kept, found and made."""

    def open(self, cwd: Path, flags: Mapping[str, Any]) -> OpenedSession:
        """The session that the flags ask for; a new one without any.

        `UsageError` when there is none such, `Leave` when the flags ask for something other than a session.
        """
        ...

    def list(self, cwd: Path | None = None) -> "Sequence[SessionInfo]":
        """Stored sessions of a directory (`None`: of all), newest first."""
        ...


@dataclass(frozen=True, slots=True)
class PromptInputs:
    """What a system prompt is built from."""

    cwd: Path
    tools: Sequence[Tool]
    trusted: bool
    flags: Mapping[str, Any]
    date: str


class PromptBuilder(Protocol):
    """Builds the system prompt: equal inputs and files give equal bytes."""

    def build(self, inputs: PromptInputs) -> str: ...


class AgentFactory(Protocol):
    """Makes sessions that can run prompts."""

    def create(self, kernel: "Kernel", options: SessionOptions) -> Session: ...


SETTINGS: ServiceKey[Settings] = ServiceKey("settings")
TRUST: ServiceKey[Trust] = ServiceKey("trust")
SESSIONS: ServiceKey[SessionStore] = ServiceKey("sessions")
PROMPT: ServiceKey[PromptBuilder] = ServiceKey("prompt")
AGENT: ServiceKey[AgentFactory] = ServiceKey("agent")
SHELL: ServiceKey[ShellRouter] = ServiceKey("shell")
"""Decides which tier runs a command; without it the `bash` tool takes the first tier that is available."""
