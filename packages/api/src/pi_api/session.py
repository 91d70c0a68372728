"""A session as plugins and modes see it, and what is needed to make one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from pi_kernel.bus import Bus

from pi_api.events import Delivery, Source, StartReason, StopReason
from pi_api.messages import AssistantMessage, Image, Message, UserContent
from pi_api.model import Model, ThinkingLevel
from pi_api.tool import Tool
from pi_api.usage import Usage

if TYPE_CHECKING:
    from pi_kernel import Kernel
    from pi_kernel.tree import SessionTree

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What a session is made of.

    `tools` allows only those names (`None`: every tool that is active by default), `without_tools` takes some away
    afterwards. `flags` are the parsed command-line flags by name. `trusted`: project-local files may be used.
    """

    cwd: Path
    tree: "SessionTree"
    model: Model
    thinking: ThinkingLevel = ThinkingLevel.OFF
    reason: StartReason = "startup"
    previous: Path | None = None
    trusted: bool = False
    api_key: str | None = None
    tools: frozenset[str] | None = None
    without_tools: frozenset[str] = frozenset()
    flags: Mapping[str, Any] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


class Session(Protocol):
    """A running conversation: one tree, one bus, at most one run at a time."""

    @property
    def options(self) -> SessionOptions: ...
    @property
    def kernel(self) -> "Kernel": ...
    @property
    def bus(self) -> Bus: ...
    @property
    def tree(self) -> "SessionTree": ...
    @property
    def cwd(self) -> Path: ...
    @property
    def model(self) -> Model: ...
    @property
    def thinking(self) -> ThinkingLevel: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def messages(self) -> Sequence[Message]:
        """The context of the current branch."""
        ...

    @property
    def last_answer(self) -> AssistantMessage | None: ...
    @property
    def usage(self) -> Usage:
        """Everything this session has used, all branches together."""
        ...

    @property
    def queued(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Texts waiting as steering and as follow-ups."""
        ...

    async def start(self) -> None:
        """Bind plugins and emit `SessionStart`."""
        ...

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        source: Source = "interactive",
        delivery: Delivery | None = None,
    ) -> None:
        """Run a prompt to its end. While busy it is queued as `delivery` says; without one `BusyError` is raised."""
        ...

    async def send(
        self,
        custom_type: str,
        content: UserContent,
        *,
        display: bool = True,
        details: Any = None,
        delivery: Literal["steer", "followUp", "nextTurn"] = "nextTurn",
        trigger_turn: bool = False,
    ) -> None:
        """Add a plugin's message to the conversation; `trigger_turn` runs the agent when it is idle."""
        ...

    def clear_queue(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Take all waiting texts back: steering, follow-ups."""
        ...

    async def abort(self) -> None:
        """Stop the current run, if any, and wait until the session is idle."""
        ...

    async def wait_idle(self) -> None: ...

    async def set_model(self, model: Model, source: Literal["set", "cycle", "restore"] = "set") -> None: ...

    async def set_thinking(self, level: ThinkingLevel) -> None: ...

    async def set_name(self, name: str | None) -> None: ...

    def tools(self) -> Sequence[Tool]:
        """The active tools."""
        ...

    def set_active_tools(self, names: Sequence[str]) -> None: ...

    def append_entry(self, custom_type: str, data: Any) -> None:
        """Store a plugin's own state in the session; the model never sees it."""
        ...

    def state(self, kind: type[S]) -> S:
        """The one instance of `kind` that belongs to this session, made on first use."""
        ...

    async def close(self, reason: StopReason = "quit") -> None:
        """Abort, emit `SessionShutdown`, release everything; the session is of no use afterwards."""
        ...
