"""A session over a scripted provider, some tools of every temper, and a log of everything that happens."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pi_api import AGENT, Command, Session, SessionOptions, Tool, ToolError, ToolResult, events, service
from pi_api.messages import AssistantMessage, Message, ToolCall
from pi_kernel import hookimpl
from pi_kernel.bus import Chain, Collect, Event, First, Gate, Observe, Pipeline
from pi_kernel.tree import SessionTree
from pi_testkit import FAKE_MODEL, FakeProvider, FakeSettings, PluginHost

FOLDS = (Observe, Gate, Chain, Collect, First, Pipeline)
EVENTS: list[type[Event]] = [
    kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, FOLDS) and kind not in FOLDS
]
Log = list[str]


def words(message: Message | ToolResult) -> str:
    content = getattr(message, "content", "")
    if isinstance(content, str):
        return content
    return " ".join(
        f"{block.name}()"
        if isinstance(block, ToolCall)
        else getattr(block, "text", getattr(block, "thinking", "image"))
        for block in content
    )


def _error(result: Any) -> str:
    return " [error]" if getattr(result, "is_error", False) else ""


def _stop(message: Any) -> str:
    return f" [{message.stop_reason}]" if isinstance(message, AssistantMessage) else ""


DETAILS: dict[type, Callable[[Any], str]] = {
    events.MessageStart: lambda e: f" {e.message.TAG[1]}{_error(e.message)}: {words(e.message)}".rstrip(": "),
    events.MessageEnd: lambda e: f" {e.message.TAG[1]}{_stop(e.message)}{_error(e.message)}: {words(e.message)}".rstrip(
        ": "
    ),
    events.MessageUpdate: lambda e: f" {type(e.delta).__name__} {getattr(e.delta, 'delta', '')}".rstrip(),
    events.TurnStart: lambda e: f" {e.index}",
    events.TurnEnd: lambda e: f" {e.index}{_stop(e.message)} {len(e.tool_results)} results",
    events.ToolStart: lambda e: f" {e.call_id} {e.tool}",
    events.ToolGate: lambda e: f" {e.call_id} {e.tool}",
    events.ToolUpdate: lambda e: f" {e.call_id} {e.tool}",
    events.ToolResultReady: lambda e: f" {e.call_id}{_error(e.result)}: {words(e.result)}",
    events.ToolEnd: lambda e: f" {e.call_id}{_error(e.result)}: {words(e.result)}",
    events.AgentEnd: lambda e: f" {len(e.messages)} messages{' will retry' if e.will_retry else ''}",
    events.BuildContext: lambda e: f" {len(e.messages)}",
    events.QueueUpdate: lambda e: f" steer={list(e.steering)} then={list(e.follow_up)}",
    events.RunFailed: lambda e: f" {e.failure.kind} {e.attempt}",
    events.RetryStart: lambda e: f" {e.attempt}/{e.max_attempts} after {e.delay:g} s: {e.error}",
    events.RetryEnd: lambda e: f" {'well' if e.success else 'badly'} {e.attempt}{f': {e.error}' if e.error else ''}",
    events.Notice: lambda e: f" {e.level}: {e.text}",
}


def told(event: Any) -> str:
    """One line for one event."""
    return type(event).__name__ + DETAILS.get(type(event), lambda _: "")(event)


@dataclass
class Scene:
    """The plugin under which a test's provider, tools, commands and handlers are registered."""

    provider: FakeProvider
    tools: Sequence[Tool] = ()
    commands: Sequence[Command] = ()
    handlers: Sequence[tuple[type[Event], Callable[[Any], Any]]] = ()
    log: Log = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)
    name = "scene"

    @hookimpl
    def pi_providers(self, register: Callable[..., None]) -> None:
        register(self.provider)

    @hookimpl
    def pi_tools(self, register: Callable[..., None]) -> None:
        for tool in self.tools:
            register(tool)

    @hookimpl
    def pi_commands(self, register: Callable[..., None]) -> None:
        for command in self.commands:
            register(command)

    @hookimpl
    def pi_session(self, session: Session, bus: Any) -> None:
        for kind in EVENTS:
            bus.on(kind, self._note)
        for kind, handler in self.handlers:
            bus.on(kind, handler)

    def _note(self, event: Any) -> None:
        self.seen.append(event)
        self.log.append(told(event))


@dataclass
class World:
    """A session and all that surrounds it."""

    session: Any
    scene: Scene
    settings: FakeSettings
    host: PluginHost

    @property
    def log(self) -> Log:
        return self.scene.log

    @property
    def provider(self) -> FakeProvider:
        return self.scene.provider

    def of(self, *kinds: type) -> list[Any]:
        """The events of some types, in order."""
        return [event for event in self.scene.seen if isinstance(event, kinds)]

    def lines(self, *names: str) -> Log:
        """The log lines of some events."""
        return [line for line in self.log if line.split()[0] in names]

    def reopened(self) -> list[Message]:
        """The context as another process would read it from the file."""
        from pi_agent.branch import context_of

        with SessionTree.open(self.session.tree.file, read_only=True) as tree:
            context = context_of(tree.path())
        assert context.problems == []
        return context.messages


def tool(name: str, run: Callable[..., Any], *, parameters: Any = None, **fields: Any) -> Tool:
    return Tool(name, f"Does {name} and nothing else.", parameters or {"type": "object"}, run, **fields)


def plain_tools() -> list[Tool]:
    """Tools of every temper."""

    async def echo(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult.text(str(params.get("text", "echo")))

    async def refuse(params: dict[str, Any], context: Any) -> ToolResult:
        raise ToolError("this cannot be done; do something else")

    async def boom(params: dict[str, Any], context: Any) -> ToolResult:
        raise RuntimeError("boom")

    async def leave(params: dict[str, Any], context: Any) -> ToolResult:
        raise SystemExit(3)

    async def odd(params: dict[str, Any], context: Any) -> None:
        return None

    async def enough(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult.text("enough", terminate=True)

    async def negative(params: dict[str, Any], context: Any) -> ToolResult:
        return ToolResult.text("exit 1", is_error=True, error_kind="operation_outcome")

    async def quits(params: dict[str, Any], context: Any) -> ToolResult:
        raise asyncio.CancelledError

    async def shows(params: dict[str, Any], context: Any) -> ToolResult:
        await context.update(ToolResult.text("half"))
        return ToolResult.text("whole")

    made = [echo, refuse, boom, leave, odd, enough, negative, quits, shows]
    number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    return [
        *(tool(run.__name__, run) for run in made),
        tool("counted", echo, parameters=number),
        replace(tool("alone", echo), execution="sequential"),
    ]


@pytest.fixture
def world(plugin_host: Callable[..., PluginHost], tmp_path: Path) -> Callable[..., Any]:
    """Makes a started session: `await world(turn, ..., more_tools=[], handlers=[(Event, handler)], settings={})`."""

    numbers = count(1)

    async def make(*script: Any, **given: Any) -> World:
        chunk = given.pop("chunk", 1000)
        provider = given.pop("provider", None) or FakeProvider(script, chunk=chunk)
        settings = FakeSettings(given.pop("settings", {}))
        scene = Scene(
            provider,
            [*plain_tools(), *given.pop("more_tools", ())],
            given.pop("commands", ()),
            given.pop("handlers", ()),
        )
        host = plugin_host("pi_agent.plugin", scene, settings, *given.pop("plugins", ()))
        tree = given.pop("tree", None)
        if tree is None:
            tree = SessionTree.create(tmp_path / f"session-{next(numbers)}.jsonl", str(tmp_path))
        factory = service(host.kernel, AGENT)
        assert factory is not None
        model = given.pop("model", FAKE_MODEL)
        session = factory.create(host.kernel, SessionOptions(tmp_path, tree, model, **given))
        await session.start()
        return World(session, scene, settings, host)

    return make
