"""The plugin host: exactly the plugins it is given, and no others."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pi_api import SETTINGS, Tool, ToolResult, events, service
from pi_api.kinds import TOOLS
from pi_api.settings import setting
from pi_kernel import Kernel, hookimpl
from pi_testkit import DiscoveryRefused, FakeSettings, FakeToolContext, PluginHost, PluginsFailed, plain_answer
from pi_testkit.host import plugin_name
from pydantic import BaseModel


class Weather:
    """A plugin with a tool and a handler."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.torn_down = False

    @hookimpl
    def pi_tools(self, register: Callable[[Tool], None]) -> None:
        async def run(params: dict[str, Any], context: Any) -> ToolResult:
            context.state(list).append(params["town"])
            await context.update(ToolResult.text("looking"))
            return ToolResult.text(f"rain in {params['town']}")

        register(Tool("weather", "Tell the weather.", {"town": {"type": "string"}}, run))

    @hookimpl
    def pi_session(self, session: Any, bus: Any) -> None:
        bus.on(events.MessageEnd, lambda event: self.seen.append(str(event.message.content)))

    @hookimpl
    def pi_teardown(self, kernel: Any) -> None:
        self.torn_down = True


Host = Callable[..., PluginHost]


def test_only_the_given_plugins_are_there(plugin_host: Host) -> None:
    host = plugin_host(Weather())
    assert [found.name for found in host.kernel.all(TOOLS)] == ["weather"]
    assert host.names == ("weather",)


def test_modules_classes_and_named_plugins(plugin_host: Host) -> None:
    module = ModuleType("pi_some_thing.plugin")
    host = plugin_host(module, Weather, other_one=Weather())
    assert host.names == ("some-thing", "weather", "other-one")


@pytest.mark.parametrize(
    ("plugin", "name"),
    [("pi_tool_read.plugin", "tool-read"), ("acme_pi", "acme-pi"), (Weather, "weather"), (FakeSettings(), "settings")],
)
def test_a_plugin_goes_by_its_own_name(plugin: object, name: str) -> None:
    assert plugin_name(plugin) == name


@pytest.fixture
def found_before() -> None:
    Kernel(env={}).plugins()


def test_looking_for_installed_plugins_is_refused_also_when_they_were_found_before(
    found_before: None, plugin_host: Host
) -> None:
    with pytest.raises(DiscoveryRefused, match="give the plugins to `plugin_host`"):
        Kernel(env={}).load()


def test_a_plugin_that_does_not_load_fails_the_test(plugin_host: Host) -> None:
    with pytest.raises(PluginsFailed, match=r"no_such_module.*failed in import|'no-such-module' failed in import"):
        plugin_host("no_such_module")
    host = plugin_host("no_such_module", strict=False)
    assert len(host.failures) == 1


def test_a_missing_value_names_those_there_are(plugin_host: Host) -> None:
    with pytest.raises(KeyError, match="no tool 'whether'; registered: weather"):
        plugin_host(Weather()).tool("whether")


def test_the_agent_directory_is_a_fresh_one(plugin_host: Host, tmp_path: Path) -> None:
    assert plugin_host(Weather()).kernel.agent_dir.is_relative_to(tmp_path)


async def test_a_tool_runs_without_an_agent(plugin_host: Host) -> None:
    host = plugin_host(Weather())
    context = FakeToolContext(host.cwd)
    result = await host.run("weather", context, town="Bergen")
    assert result.plain == "rain in Bergen"
    assert [update.plain for update in context.updates] == ["looking"]
    assert context.state(list) == ["Bergen"]


async def test_calls_that_share_a_session_share_state(plugin_host: Host) -> None:
    host = plugin_host(Weather())
    session = host.session()
    for town in ("Bergen", "Oslo"):
        await host.run("weather", FakeToolContext(host.cwd, session=session), town=town)
    assert session.state(list) == ["Bergen", "Oslo"]


async def test_a_fake_session_plays_events_and_records_what_is_asked(plugin_host: Host) -> None:
    weather = Weather()
    session = plugin_host(weather).session(plays=[plain_answer("how is it?", "wet")])
    await session.start()
    await session.prompt("how is it?", source="print")
    await session.send("note", "hm")
    session.append_entry("state", {"n": 1})
    await session.set_name("rain")
    await session.close()
    assert weather.seen[0] == "how is it?"
    assert session.last_answer is not None and session.last_answer.text == "wet"
    assert [(said.text, said.source) for said in session.prompts] == [("how is it?", "print")]
    assert (session.sent, session.entries, session.closed) == ([("note", "hm")], [("state", {"n": 1})], "quit")
    assert [tool.name for tool in session.tools()] == ["weather"]


def test_closing_a_host_tears_its_plugins_down(plugin_host: Host) -> None:
    weather = Weather()
    plugin_host(weather).close()
    assert weather.torn_down


@dataclass(frozen=True)
class PlainSection:
    """The same without pydantic."""

    size: int = setting(3, "how big")


class Section(BaseModel):
    """A section for the test."""

    size: int = 3


def test_fake_settings_are_the_settings_service(plugin_host: Host) -> None:
    settings = FakeSettings({"box": {"size": 5}})
    host = plugin_host(settings)
    assert service(host.kernel, SETTINGS) is settings
    assert settings.read("box", Section).size == 5
    settings.set("box.size", 7)
    assert (settings.get("box.size"), settings.read("", Section).size) == (7, 3)
    assert settings.unset("box.size") and not settings.unset("box.size")
    settings.use_flags({"crate.size": 2})
    assert settings.explain("crate.size")[0].value == 2
    settings.change("crate.size", lambda size: size + 1)
    assert settings.read("crate", PlainSection) == PlainSection(3)
