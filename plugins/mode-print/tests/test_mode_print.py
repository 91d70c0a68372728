"""Print and JSON modes over a session that plays prepared runs."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pi_api import Image, ModeRun, Prompt
from pi_api.events import MessageEnd, Notice
from pi_api.kinds import FLAGS, MODES
from pi_api.messages import Text, ToolCall
from pi_mode_print import plugin
from pi_testkit import FAKE_MODEL, FakeSession, Said, build_message, plain_answer


def run_of(session: FakeSession, *prompts: Prompt) -> ModeRun:
    return ModeRun(session.kernel, session, prompts, {})


async def run(mode: str, plugin_host: Any, session: FakeSession, *prompts: Prompt) -> int:
    found = plugin_host(plugin).get(MODES, mode)
    status: int = await found.run(run_of(session, *prompts))
    return status


def failing(stop: str, **fields: Any) -> list[Any]:
    return [MessageEnd(build_message(FAKE_MODEL, "half an ans", stop=stop, **fields))]


def test_the_flag_and_the_modes_are_offered(plugin_host: Any) -> None:
    host = plugin_host(plugin)
    assert host.get(FLAGS, "print").short == "p"
    assert not host.get(MODES, "print").interactive
    assert not host.get(MODES, "json").interactive


async def test_prompts_are_sent_in_order_and_the_last_answer_is_printed(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = Image("aGk=", "image/png")
    session = FakeSession(tmp_path, plays=[plain_answer("one", "first"), plain_answer("two", "sécond\n")])
    status = await run("print", plugin_host, session, Prompt("one", (image,)), Prompt("two"))
    assert status == 0
    assert session.prompts == [Said("one", (image,), "print"), Said("two", (), "print")]
    assert capsys.readouterr().out == "sécond\n\n"
    assert session.closed == "quit"


async def test_each_text_block_of_the_answer_is_a_line(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = build_message(FAKE_MODEL, Text("one"), ToolCall("1", "t", {}), Text("two"), stop="stop")
    await run("print", plugin_host, FakeSession(tmp_path, plays=[[MessageEnd(answer)]]), Prompt("x"))
    assert capsys.readouterr().out == "one\ntwo\n"


@pytest.mark.parametrize("mode", ["print", "json"])
@pytest.mark.parametrize(
    ("stop", "fields", "said"),
    [("error", {"error_message": "529 overloaded"}, "529 overloaded"), ("aborted", {}, "aborted")],
)
async def test_a_failed_answer_is_status_1(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str, stop: str, fields: Any, said: str
) -> None:
    session = FakeSession(tmp_path, plays=[failing(stop, **fields)])
    assert await run(mode, plugin_host, session, Prompt("x")) == 1
    printed = capsys.readouterr()
    assert said in (printed.err if mode == "print" else printed.out)


async def test_warnings_go_to_standard_error(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plays = [[Notice("careful"), Notice("by the way", "info"), *plain_answer("x", "fine")]]
    assert await run("print", plugin_host, FakeSession(tmp_path, plays=plays), Prompt("x")) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("fine\n", "pi: warning: careful\n")


async def test_what_a_command_says_is_the_answer(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plays = [[Notice("hello you", "info", {"command": "hello"})]]
    assert await run("print", plugin_host, FakeSession(tmp_path, plays=plays), Prompt("/hello you")) == 0
    assert capsys.readouterr().out == "hello you\n"


@pytest.mark.parametrize("mode", ["print", "json"])
async def test_what_a_plugin_prints_by_itself_goes_to_standard_error(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    session = FakeSession(tmp_path, plays=[plain_answer("x", "fine")])
    session.bus.on(MessageEnd, lambda event: print("by the way"))
    assert await run(mode, plugin_host, session, Prompt("x")) == 0
    printed = capsys.readouterr()
    assert "by the way" not in printed.out and "by the way" in printed.err


async def test_nothing_to_say_prints_nothing(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run("print", plugin_host, FakeSession(tmp_path), *()) == 0
    assert capsys.readouterr().out == ""


async def test_json_is_a_header_the_events_in_order_and_a_result(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = FakeSession(tmp_path, plays=[plain_answer("x", "ligne\u2028suivante \ud800")])
    assert await run("json", plugin_host, session, Prompt("x")) == 0
    printed = capsys.readouterr().out
    records = [json.loads(line) for line in printed.split("\n") if line]
    assert printed.isascii()
    assert [record["type"] for record in records] == [
        "session",
        "agent_start",
        "turn_start",
        "message_start",
        "message_end",
        "message_start",
        *["message_update"] * 3,
        "message_end",
        "turn_end",
        "agent_end",
        "result",
    ]
    assert records[0]["version"] == 3
    assert records[0]["cwd"] == str(tmp_path)
    assert records[-1] == {"type": "result", "usage": session.usage.to_json()}


async def test_a_reader_that_goes_away_ends_the_json_run(
    plugin_host: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OneLine(io.StringIO):
        def flush(self) -> None:
            if self.getvalue().count("\n") > 1:
                raise BrokenPipeError

    out = OneLine()
    monkeypatch.setattr(sys, "stdout", out)
    session = FakeSession(tmp_path, plays=[plain_answer("one", "first"), plain_answer("two", "second")])
    with pytest.raises(BrokenPipeError):
        await run("json", plugin_host, session, Prompt("one"), Prompt("two"))
    assert (session.aborts, session.closed, session.kernel.failures) == (1, "quit", [])
    assert [said.text for said in session.prompts] == ["one"]
    assert out.getvalue().count("\n") == 2


async def test_the_result_is_written_even_when_a_prompt_raises(
    plugin_host: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(FakeSession):
        async def prompt(self, *arguments: Any, **options: Any) -> None:
            raise RuntimeError("lost")

    session = Broken(tmp_path)
    with pytest.raises(RuntimeError):
        await run("json", plugin_host, session, Prompt("x"))
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["type"] == "result"
    assert session.closed == "quit"
