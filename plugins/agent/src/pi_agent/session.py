"""The session: one conversation with its tree, its bus and its runs."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pi_api.errors import BusyError, PiError
from pi_api.events import (
    BeforeAgentStart,
    Delivery,
    Input,
    ModelSelected,
    Notice,
    QueueUpdate,
    SessionNamed,
    SessionShutdown,
    SessionStart,
    Source,
    StopReason,
    SystemPrompt,
    ThinkingSelected,
)
from pi_api.messages import AssistantMessage, CustomMessage, Image, Message, Text, UserContent, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.session import Session, SessionOptions
from pi_api.tool import Tool
from pi_api.usage import Usage

from pi_agent.closing import ImpatientBus
from pi_agent.commands import command_in, run_command
from pi_agent.context import CallContext
from pi_agent.conversation import Conversation
from pi_agent.convert import Projection
from pi_agent.queues import Queues, Waiting, taken
from pi_agent.run import Runner
from pi_agent.say import store
from pi_agent.schema import Schemas
from pi_agent.stall import StallGuard
from pi_agent.state import LoopConfig, RunState, Surface
from pi_agent.surface import (
    active_tools,
    agent_settings,
    fallback_prompt,
    provider_of,
    provider_options,
    system_prompt,
)

if TYPE_CHECKING:
    from pi_kernel import Kernel

S = TypeVar("S")


class Agents:
    """Makes sessions."""

    def create(self, kernel: "Kernel", options: SessionOptions) -> Session:
        return AgentSession(kernel, options)


class SessionOver(PiError):
    """A session was used after it had been closed."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A prompt on its way in."""

    text: str
    images: tuple[Image, ...]
    source: Source
    delivery: Delivery | None

    def event(self) -> Input:
        return Input(self.text, self.images, self.source, self.delivery)


class AgentSession:
    """A `pi_api.session.Session` over a session tree."""

    def __init__(self, kernel: "Kernel", options: SessionOptions) -> None:
        self.kernel = kernel
        self.options = options
        self.bus = kernel.bus()
        self.tree = options.tree
        self.model = options.model
        self.thinking = options.model.clamp(options.thinking)
        self._conversation = Conversation(self.tree)
        self._queues = Queues()
        self._next_turn: list[Message] = []
        self._runner = Runner(self.bus, self._configure, self._guard, self._waiting, self._conversation.drop)
        self._schemas = Schemas()
        self._projection = Projection()
        self._system_prompt = ""
        self._chosen_tools: tuple[str, ...] | None = None
        self._states: dict[type, Any] = {}
        self._closed = False

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def cwd(self) -> Path:
        return self.options.cwd

    @property
    def is_idle(self) -> bool:
        return not self._runner.busy

    @property
    def messages(self) -> Sequence[Message]:
        return tuple(self._conversation.messages)

    @property
    def last_answer(self) -> AssistantMessage | None:
        answers = (one for one in reversed(self._conversation.messages) if isinstance(one, AssistantMessage))
        return next(answers, None)

    @property
    def usage(self) -> Usage:
        return self._conversation.usage

    @property
    def queued(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self._queues.texts

    def tools(self) -> Sequence[Tool]:
        return active_tools(self.kernel, self.options, self._chosen_tools)

    def set_active_tools(self, names: Sequence[str]) -> None:
        self._chosen_tools = tuple(names)

    def state(self, kind: type[S]) -> S:
        if kind not in self._states:
            self._states[kind] = kind()
        found: S = self._states[kind]
        return found

    # -- life ------------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        self.kernel.bind(self, self.bus)
        for problem in self._conversation.problems:
            await self.bus.emit(Notice(problem))
        await self.bus.emit(SessionStart(self.options.reason, self.options.previous))

    async def abort(self) -> None:
        await self._runner.abort()

    async def wait_idle(self) -> None:
        await self._runner.wait_idle()

    async def close(self, reason: StopReason = "quit") -> None:
        if self._closed:
            return
        self._closed = True
        await self._runner.abort()
        await ImpatientBus(self.bus, 30.0).emit(SessionShutdown(reason))
        self._states.clear()
        self.tree.close()

    # -- being talked to -------------------------------------------------------------------------------------------

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        source: Source = "interactive",
        delivery: Delivery | None = None,
    ) -> None:
        self._check_open()
        if (found := command_in(self.kernel, text)) is not None:
            await run_command(*found, self)
            return
        said = _Said(text, tuple(images), source, delivery)
        if not self._runner.busy:
            await self._runner.run(partial(self._prepare, said))
            return
        if delivery is None:
            raise BusyError("the session is busy; wait for it, or say whether this is to steer or to follow up")
        message = await self._heard(said)
        if message is not None:
            await self._deliver(message, delivery)

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
        self._check_open()
        message = CustomMessage(custom_type, content, display, _now(), details)
        if delivery != "nextTurn" and self._runner.busy:
            await self._deliver(message, delivery)
        elif trigger_turn and not self._runner.busy:
            await self._runner.run(partial(self._prepare_sent, message))
        elif delivery == "nextTurn":
            self._next_turn.append(message)
        else:
            await store(self._configure(), RunState(), message)

    def clear_queue(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        texts = self._queues.texts
        self._queues.clear()
        return texts

    # -- changing it -----------------------------------------------------------------------------------------------

    async def set_model(self, model: Model, source: Literal["set", "cycle", "restore"] = "set") -> None:
        previous, self.model = self.model, model
        self._note_in_use()
        await self.bus.emit(ModelSelected(model, previous, source))
        await self.set_thinking(self.thinking)

    async def set_thinking(self, level: ThinkingLevel) -> None:
        previous, self.thinking = self.thinking, self.model.clamp(level)
        if previous is not self.thinking:
            self._note_in_use()
            await self.bus.emit(ThinkingSelected(self.thinking, previous))

    async def set_name(self, name: str | None) -> None:
        self._conversation.append("session_info", {"name": " ".join((name or "").split())})
        await self.bus.emit(SessionNamed(self.tree.name))

    def append_entry(self, custom_type: str, data: Any) -> None:
        self._conversation.append("custom", {"customType": custom_type, "data": data})

    # -- within ----------------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._closed:
            raise SessionOver("this session is closed; open or start another one")

    def _note_in_use(self) -> None:
        """A session that nobody has said anything in leaves no file."""
        if len(self.tree):
            self._conversation.note_in_use(self.model, self.thinking)

    def _record(self, message: Message) -> str | None:
        self._conversation.note_in_use(self.model, self.thinking)
        return self._conversation.record(message)

    async def _heard(self, said: _Said) -> UserMessage | None:
        """What becomes of a prompt on its way through the input pipeline; `None` when a plugin handled it."""
        piped = await self.bus.emit(said.event())
        if piped.handled_by is not None:
            return None
        heard = piped.event
        return UserMessage((Text(heard.text), *heard.images) if heard.images else heard.text, _now())

    async def _prepare(self, said: _Said) -> list[Message] | None:
        message = await self._heard(said)
        if message is None:
            return None
        text = message.content if isinstance(message.content, str) else said.text
        given = await self.bus.emit(BeforeAgentStart(text, said.images))
        await self._build_system_prompt()
        extra = [answer.value for answer in given if isinstance(answer.value, CustomMessage)]
        waiting, self._next_turn = self._next_turn, []
        return [message, *waiting, *extra]

    async def _prepare_sent(self, message: Waiting) -> list[Message]:
        await self._build_system_prompt()
        return [message]

    async def _build_system_prompt(self) -> None:
        tools, today = self.tools(), date.today().isoformat()
        try:
            text = system_prompt(self.kernel, self.options, tools, today)
        except Exception as error:
            why = f"the system prompt could not be built ({type(error).__name__}: {error}); a short one is used"
            await self.bus.emit(Notice(why))
            text = fallback_prompt(self.options, tools, today)
        event = SystemPrompt(text, tuple(tool.name for tool in tools))
        self._system_prompt = (await self.bus.emit(event)).text

    async def _deliver(self, message: Waiting, delivery: Delivery) -> None:
        if not self._runner.busy:
            await self._runner.run(partial(self._prepare_sent, message))
            return
        queue = self._queues.steering if delivery == "steer" else self._queues.follow_up
        queue.append(message)
        await self._queue_changed()

    async def _queue_changed(self) -> None:
        await self.bus.emit(QueueUpdate(*self._queues.texts))

    def _take_steering(self) -> list[Waiting]:
        queue = self._queues.steering
        return taken(queue, agent_settings(self.kernel).steering_mode) if queue else []

    def _take_follow_ups(self) -> list[Waiting]:
        queue = self._queues.follow_up
        return taken(queue, agent_settings(self.kernel).follow_up_mode) if queue else []

    def _waiting(self) -> list[Message]:
        """What a run that would be the next one begins with."""
        return [*(self._take_steering() or self._take_follow_ups())]

    def _guard(self) -> StallGuard:
        settings = agent_settings(self.kernel)
        return StallGuard(settings.max_stall_turns, settings.max_provider_turns)

    def _surface(self) -> Surface:
        model = self.model
        return Surface(
            provider_of(self.kernel, model),
            model,
            {tool.name: tool for tool in self.tools()},
            self.thinking,
            self._system_prompt,
            self.options.api_key,
            "long" if self.options.env.get("PI_CACHE_RETENTION") == "long" else "short",
            self.tree.header.id,
            provider_options(self.kernel, model.provider),
        )

    def _configure(self) -> LoopConfig:
        return LoopConfig(
            self.bus,
            self._surface,
            lambda: self._conversation.messages,
            self._record,
            lambda call, batch: CallContext(self, call, batch),
            _now,
            self._take_steering,
            self._take_follow_ups,
            self._queue_changed,
            self._schemas,
            self._projection,
        )


def _now() -> int:
    return time.time_ns() // 1_000_000
