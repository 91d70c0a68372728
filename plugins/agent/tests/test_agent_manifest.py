"""The manifest, the settings section, and retries asked for in odd ways."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from pi_agent.session import Agents
from pi_agent.settings import AgentSettings
from pi_api import AGENT, SettingsSection, events, service
from pi_api.codec import camel
from pi_api.events import Retry
from pi_api.kinds import SETTINGS_SECTIONS
from pi_testkit import Fail, PluginHost, Turn
from pi_testkit.contracts import SettingsContract


class TestSettings(SettingsContract):
    @pytest.fixture
    def section(self, plugin_host: Callable[..., PluginHost]) -> SettingsSection:
        host = plugin_host("pi_agent.plugin")
        (found,) = [one.value for one in host.kernel.all(SETTINGS_SECTIONS)]
        return found


def test_the_service_makes_sessions(plugin_host: Callable[..., PluginHost]) -> None:
    host = plugin_host("pi_agent.plugin")
    assert isinstance(service(host.kernel, AGENT), Agents)


def test_settings_have_upstreams_names_and_defaults() -> None:
    defaults = {camel(one.name): one.default for one in fields(AgentSettings)}
    assert defaults == {
        "steeringMode": "one-at-a-time", "followUpMode": "one-at-a-time", "maxStallTurns": 12, "maxProviderTurns": 0,
    }  # fmt: skip


def test_importing_the_manifest_loads_nothing_of_the_agent() -> None:
    code = "import sys, pi_agent.plugin; print(sorted(m for m in sys.modules if m.startswith(('pi_agent', 'asyncio'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "['pi_agent', 'pi_agent.plugin']"


def test_the_loop_loads_neither_pydantic_nor_the_schema_library() -> None:
    code = "import sys, pi_agent.session; print({'pydantic', 'fastjsonschema', 'jsonschema'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("answer", [True, 3.0, "again", {"delay": 0}])
async def test_an_answer_that_is_no_retry_is_none(answer: Any, world: Callable[..., Any]) -> None:
    here = await world(Turn(Fail()), handlers=[(events.RunFailed, lambda event: answer)])
    await here.session.prompt("go")
    assert here.lines("RetryStart", "AgentEnd") == ["AgentEnd 2 messages"]


async def test_a_negative_delay_is_no_delay(world: Callable[..., Any]) -> None:
    here = await world(Turn(Fail()), "ok", handlers=[(events.RunFailed, lambda event: Retry(-5.0, 1))])
    await here.session.prompt("go")
    assert here.of(events.RetryStart)[0].delay == 0.0
    assert here.session.last_answer.text == "ok"


async def test_a_failed_answer_is_kept_in_the_file_and_not_sent_again(world: Callable[..., Any]) -> None:
    script = [Turn("half an", Fail()), "a whole answer"]
    here = await world(*script, handlers=[(events.RunFailed, lambda event: Retry(0.0, 1))])
    await here.session.prompt("go")
    assert [getattr(m, "stop_reason", "") for m in here.reopened()] == ["", "error", "stop"]
    assert [getattr(m, "stop_reason", "") for m in here.session.messages] == ["", "stop"]
    assert len(here.provider.requests[1].messages) == 1


async def test_an_aborted_stream_is_never_retried(world: Callable[..., Any]) -> None:
    from pi_api import ErrorKind

    asked: list[Any] = []
    here = await world(Turn(Fail(ErrorKind.ABORTED, "gone")), handlers=[(events.RunFailed, asked.append)])
    await here.session.prompt("go")
    assert asked == [] and here.session.last_answer.stop_reason == "aborted"


async def test_whoever_answers_a_failure_may_compact_first(world: Callable[..., Any]) -> None:
    def compact(event: events.RunFailed) -> Retry:
        tree = here.session.tree
        kept = next(entry.id for entry in tree.entries() if entry.type == "message")
        tree.append("compaction", {"summary": "the past", "firstKeptEntryId": kept, "tokensBefore": 10})
        return Retry(0.0, 1)

    here = await world(Turn(Fail()), "ok", handlers=[(events.RunFailed, compact)])
    await here.session.prompt("go")
    sent = [str(message.content) for message in here.provider.requests[1].messages]
    assert len(sent) == 2 and "the past" in sent[0] and sent[1] == "go"
    assert [type(m).__name__ for m in here.session.messages] == ["CompactionSummary", "UserMessage", "AssistantMessage"]
