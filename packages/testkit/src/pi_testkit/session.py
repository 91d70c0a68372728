"""A session that runs nothing: it records what it is asked and plays prepared events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from pi_api.events import (
    AgentEnd,
    AgentStart,
    Delivery,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    ModelSelected,
    SessionNamed,
    SessionShutdown,
    SessionStart,
    Source,
    StopReason,
    ThinkingSelected,
    TurnEnd,
    TurnStart,
)
from pi_api.kinds import TOOLS
from pi_api.messages import AssistantMessage, Image, Message, UserContent, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.session import SessionOptions
from pi_api.stream import TextDelta, TextEnd, TextStart
from pi_api.tool import Tool
from pi_api.usage import Usage
from pi_kernel import Kernel
from pi_kernel.bus import Bus, Event
from pi_kernel.tree import SessionTree

from pi_testkit.answers import build_message
from pi_testkit.provider import FAKE_MODEL

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Said:
    """One prompt that reached a fake session."""

    text: str
    images: tuple[Image, ...] = ()
    source: Source = "interactive"
    delivery: Delivery | None = None


def plain_answer(prompt: str, text: str, model: Model = FAKE_MODEL) -> list[Event]:
    """The events of a run that answers a prompt with one text."""
    user = UserMessage(prompt, 0)
    empty, answer = build_message(model), build_message(model, text)
    deltas = (TextStart(0), TextDelta(0, text), TextEnd(0, text))
    return [
        AgentStart(),
        TurnStart(0, 0),
        MessageStart(user),
        MessageEnd(user),
        MessageStart(empty),
        *(MessageUpdate(empty, delta) for delta in deltas),
        MessageEnd(answer),
        TurnEnd(0, answer),
        AgentEnd((user, answer)),
    ]


@dataclass
class FakeSession:
    """A `Session` over an in-memory tree.

    The n-th prompt emits the events of the n-th item of `plays` (`plain_answer` makes one). `prompts`, `sent` and
    `entries` record what was asked of it; `closed` is the reason it was closed for.
    """

    cwd: Path
    kernel: Kernel = field(default_factory=lambda: Kernel(env={}, sources=list))
    model: Model = FAKE_MODEL
    plays: Iterable[Sequence[Event]] = ()
    thinking: ThinkingLevel = ThinkingLevel.OFF
    flags: dict[str, Any] = field(default_factory=dict)
    active: list[Tool] | None = None

    def __post_init__(self) -> None:
        self.tree = SessionTree.in_memory(str(self.cwd))
        self.bus: Bus = self.kernel.bus()
        self.options = SessionOptions(
            self.cwd, self.tree, self.model, self.thinking, flags=self.flags, env=self.kernel.env
        )
        self.is_idle = True
        self.messages: list[Message] = []
        self.queued: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.prompts: list[Said] = []
        self.sent: list[tuple[str, UserContent]] = []
        self.entries: list[tuple[str, Any]] = []
        self.aborts = 0
        self.closed: StopReason | None = None
        self._plays = iter(self.plays)
        self._states: dict[type, Any] = {}

    @property
    def last_answer(self) -> AssistantMessage | None:
        answers = [message for message in self.messages if isinstance(message, AssistantMessage)]
        return answers[-1] if answers else None

    @property
    def usage(self) -> Usage:
        return sum((m.usage for m in self.messages if isinstance(m, AssistantMessage)), Usage())

    async def start(self) -> None:
        self.kernel.bind(self, self.bus)
        await self.bus.emit(SessionStart(self.options.reason, self.options.previous))

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        source: Source = "interactive",
        delivery: Delivery | None = None,
    ) -> None:
        self.prompts.append(Said(text, tuple(images), source, delivery))
        self.is_idle = False
        for event in next(self._plays, ()):
            ended = await self.bus.emit(event)  # type: ignore[call-overload]
            if isinstance(event, MessageEnd):
                self.messages.append(ended.message)
        self.is_idle = True

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
        self.sent.append((custom_type, content))

    def clear_queue(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        taken, self.queued = self.queued, ((), ())
        return taken

    async def abort(self) -> None:
        self.aborts += 1

    async def wait_idle(self) -> None:
        """Idle whenever no prompt is being played."""

    async def set_model(self, model: Model, source: Literal["set", "cycle", "restore"] = "set") -> None:
        previous, self.model = self.model, model
        await self.bus.emit(ModelSelected(model, previous, source))

    async def set_thinking(self, level: ThinkingLevel) -> None:
        previous, self.thinking = self.thinking, level
        await self.bus.emit(ThinkingSelected(level, previous))

    async def set_name(self, name: str | None) -> None:
        self.tree.rename(name or "")
        await self.bus.emit(SessionNamed(name))

    def tools(self) -> Sequence[Tool]:
        if self.active is None:
            self.active = [found.value for found in self.kernel.all(TOOLS) if found.value.active]
        return self.active

    def set_active_tools(self, names: Sequence[str]) -> None:
        self.active = [found.value for found in self.kernel.all(TOOLS) if found.name in names]

    def append_entry(self, custom_type: str, data: Any) -> None:
        self.entries.append((custom_type, data))
        self.tree.append("custom", {"customType": custom_type, "data": data})

    def state(self, kind: type[S]) -> S:
        if kind not in self._states:
            self._states[kind] = kind()
        found: S = self._states[kind]
        return found

    async def close(self, reason: StopReason = "quit") -> None:
        self.closed = reason
        await self.bus.emit(SessionShutdown(reason))
        self.tree.close()

    def with_options(self, **changes: Any) -> "FakeSession":
        """This session with other `SessionOptions`; for code that reads more than the directory and the model."""
        self.options = replace(self.options, **changes)
        return self
