"""Scripts of turns: what they may hold, how they are played, and what is said of a wrong one."""

import asyncio
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pi_api.errors import ErrorKind
from pi_api.kinds import PROVIDERS, SETTINGS_SECTIONS
from pi_api.messages import AssistantMessage, Text, Thinking, ToolCall, UserMessage
from pi_api.provider import Request, ToolSchema
from pi_api.settings import SettingsSection
from pi_api.stream import Done, Failed, Start, StreamEvent, TextDelta
from pi_api.usage import Usage
from pi_provider_offline import plugin
from pi_provider_offline.provider import MODEL, OfflineProvider
from pi_provider_offline.script import schema
from pi_testkit.contracts import SettingsContract

LS = ToolSchema("ls", "List.", {"type": "object", "properties": {}})


@pytest.fixture
def script(tmp_path: Path) -> Any:
    """Write a script and give a provider that plays it."""

    def written(*turns: dict[str, Any], **fields: Any) -> OfflineProvider:
        path = tmp_path / "script.json"
        path.write_text(json.dumps({"turns": turns, **fields}), encoding="utf-8")
        return OfflineProvider(env={"PI_OFFLINE_SCRIPT": str(path)})

    return written


async def play(provider: OfflineProvider, session: str = "s", *before: Any, **fields: Any) -> list[StreamEvent]:
    request = Request(MODEL, "", (*before, UserMessage("ls", 0)), (LS,), session_id=session, **fields)
    return [event async for event in provider.stream(request)]


def said(text: str) -> AssistantMessage:
    return AssistantMessage((Text(text),), "offline", "offline", "offline", Usage(), "stop", 0)


async def end(provider: OfflineProvider, session: str = "s", *before: Any, **fields: Any) -> Any:
    return (await play(provider, session, *before, **fields))[-1]


async def test_turns_are_played_one_after_the_other(script: Any) -> None:
    provider = script({"text": "one"}, {"text": "two"})
    assert (await end(provider)).message.text == "one"
    assert (await end(provider)).message.text == "two"


async def test_each_session_has_its_own_place(script: Any) -> None:
    provider = script({"text": "one"}, {"text": "two"})
    assert [(await end(provider, name)).message.text for name in "aba"] == ["one", "one", "two"]


async def test_a_session_taken_up_again_goes_on_where_it_was(script: Any) -> None:
    provider = script({"text": "one"}, {"text": "two"}, {"text": "three"})
    before = (UserMessage("a", 0), said("one"), UserMessage("b", 0), said("two"))
    assert (await end(provider, "s", *before)).message.text == "three"


async def test_a_turn_that_failed_is_not_repeated(script: Any) -> None:
    provider = script({"failure": {"kind": "overloaded"}}, {"text": "two"})
    assert (await end(provider)).failure.kind is ErrorKind.OVERLOADED
    assert (await end(provider)).message.text == "two"


async def test_a_turn_may_hold_everything(script: Any) -> None:
    calls = [{"name": "ls", "arguments": {"path": "src"}, "id": "mine"}, {"name": "ls"}]
    usage = {"input": 10, "output": 20, "cacheRead": 3, "cacheWrite": 4}
    message = (await end(script({"thinking": "hm", "text": "I look.", "toolCalls": calls, "usage": usage}))).message
    assert message.content == (
        Thinking("hm"),
        Text("I look."),
        ToolCall("mine", "ls", {"path": "src"}),
        ToolCall("scripted_1_2", "ls", {}),
    )
    assert message.stop_reason == "toolUse"
    used = message.usage
    assert (used.input, used.output, used.cache_read, used.cache_write, used.total_tokens) == (10, 20, 3, 4, 37)


@pytest.mark.parametrize("kind", ErrorKind)
async def test_every_failure_can_be_played(script: Any, kind: ErrorKind) -> None:
    failure = {"kind": str(kind), "message": "so it is", "status": 500, "retryAfter": 1.5}
    failed = await end(script({"text": "I beg", "failure": failure}))
    assert isinstance(failed, Failed)
    assert (failed.failure.kind, failed.failure.message, failed.failure.status) == (kind, "so it is", 500)
    assert failed.failure.retry_after == 1.5
    assert failed.message.text == "I beg"
    assert failed.message.stop_reason == ("aborted" if kind is ErrorKind.ABORTED else "error")
    assert (failed.message.error_kind, failed.message.error_message) == (kind, "so it is")


async def test_an_answer_can_be_cut_for_length(script: Any) -> None:
    assert (await end(script({"text": "and so on and", "cut": True}))).message.stop_reason == "length"


async def test_waits_come_before_the_first_event_and_between_the_others(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("pi_provider_offline.streaming.asyncio.sleep", sleep)
    events = await play(script({"text": "a", "wait": 2, "delay": 0.5}))
    assert slept == [2, 0.5, 0.5, 0.5]
    assert isinstance(events[0], Start)


async def test_a_slow_answer_can_be_cancelled(script: Any) -> None:
    provider = script({"text": "a", "delay": 3600})
    playing = asyncio.ensure_future(play(provider))
    await asyncio.sleep(0)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing


async def test_the_end_of_a_script_is_a_failure_or_the_beginning_of_understanding(script: Any) -> None:
    provider = script({"text": "one"})
    await play(provider)
    failed = await end(provider)
    assert failed.failure.kind is ErrorKind.INVALID_REQUEST
    assert "has only 1 turn" in failed.failure.message
    provider = script({"text": "one"}, afterwards="understand")
    await play(provider)
    assert [call.name for call in (await end(provider)).message.tool_calls] == ["ls"]


async def test_the_setting_goes_before_the_environment(script: Any, tmp_path: Path) -> None:
    provider = script({"text": "of the environment"})
    other = tmp_path / "other.json"
    other.write_text('{"turns": [{"text": "of the setting"}]}', encoding="utf-8")
    assert (await end(provider, options={"script": str(other)})).message.text == "of the setting"
    assert (await end(provider, options={"script": None})).message.text == "of the environment"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "Invalid JSON"),
        ("[]", "file"),
        ('{"turns": []}', "turns"),
        ('{"turns": [{}]}', "at least one of"),
        ('{"turns": [{"text": 1}]}', "turns.0.text"),
        ('{"turns": [{"text": "a", "colour": "red"}]}', "turns.0.colour"),
        ('{"turns": [{"failure": {"kind": "bad luck"}}]}', "turns.0.failure.kind"),
        ('{"turns": [{"text": "a", "delay": -1}]}', "turns.0.delay"),
    ],
)
async def test_a_wrong_script_is_told_with_its_place(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    failed = await end(OfflineProvider(env={"PI_OFFLINE_SCRIPT": str(path)}))
    assert isinstance(failed, Failed)
    assert failed.failure.kind is ErrorKind.INVALID_REQUEST
    assert str(path) in failed.failure.message
    assert says in failed.failure.message


async def test_a_script_that_is_absent_is_named(tmp_path: Path) -> None:
    failed = await end(OfflineProvider(env={"PI_OFFLINE_SCRIPT": str(tmp_path / "none.json")}))
    assert "none.json" in failed.failure.message
    assert "cannot be read" in failed.failure.message


def test_the_schema_that_ships_is_that_of_the_model() -> None:
    shipped = (files("pi_provider_offline") / "script.schema.json").read_text(encoding="utf-8")
    assert json.loads(shipped) == schema()


def test_the_example_of_the_readme_is_a_script(tmp_path: Path) -> None:
    from pi_provider_offline.script import load_script

    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    path = tmp_path / "example.json"
    path.write_text(readme.split("```json\n")[1].split("```")[0], encoding="utf-8")
    assert len(load_script(path).turns) == 3


class TestSection(SettingsContract):
    @pytest.fixture
    def section(self, plugin_host: Any) -> SettingsSection:
        found: SettingsSection = plugin_host(plugin).get(SETTINGS_SECTIONS, "offline")
        return found


def test_the_manifest_gives_the_provider(plugin_host: Any) -> None:
    host = plugin_host(plugin)
    provider = host.provider("offline")
    assert provider.last_resort
    assert provider.unavailable({}) is None
    assert [model.reference for model in provider.models()] == ["offline/offline"]
    assert [found.plugin for found in host.kernel.all(PROVIDERS)] == ["provider-offline"]


async def test_understanding_needs_no_heavy_library() -> None:
    import subprocess
    import sys

    code = """
import asyncio, sys
from pi_api.messages import UserMessage
from pi_api.provider import Request
from pi_provider_offline.provider import MODEL, OfflineProvider
async def ask():
    return [event async for event in OfflineProvider(env={}).stream(Request(MODEL, "", (UserMessage("hello", 0),)))]
events = asyncio.run(ask())
print(type(events[-1]).__name__, sorted({"httpx", "pydantic", "prompt_toolkit"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Done []"


async def test_pieces_of_text_add_up(script: Any) -> None:
    text = "Ein Satz mit ü und 🌍,\n\nund   Lücken. " * 5 + "Langeswortohneendeundohnelücke"
    events = await play(script({"text": text}))
    assert "".join(event.delta for event in events if isinstance(event, TextDelta)) == text
    assert isinstance(events[-1], Done)
