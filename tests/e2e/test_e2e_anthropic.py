"""The main job through the Messages API, against a third-party server that speaks it and breaks it on demand."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.installed import is_installed, new_user, run_pi

testing = pytest.importorskip("llmock.testing", reason="llmock is not installed (pip install llmock)")
scenarios = pytest.importorskip("llmock.scenarios")

Pi = Callable[..., CompletedProcess[str]]
KEY = "sk-ant-planted-0123456789"


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    with testing.LLMockServer() as server:
        yield server


@pytest.fixture
def mock(running: Any) -> Any:
    running.state.reset()
    return running


@pytest.fixture
def pi(mock: Any, home: Path, project: Path) -> Pi:
    """The installed `pi` of a user with a key, against the mock; quick to give up on a stream that stalls."""
    if not is_installed("pi"):
        pytest.skip("the distribution pi is not installed beside these tests")
    settings = home / ".pi" / "agent" / "settings.json"
    settings.parent.mkdir(parents=True)
    limits = {"connectMs": 20_000, "firstDeltaMs": 2000, "activeIdleMs": 2000, "quietIdleMs": 2000}
    settings.write_text(json.dumps({"anthropic": {"stall": limits}}), "utf-8")
    (project / "notes.md").write_text("# The notes\n", encoding="utf-8")
    env = new_user(home) | {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": mock.base_url("anthropic")}
    return partial(run_pi, env=env, cwd=project)


def messages(home: Path) -> list[dict[str, Any]]:
    (session,) = home.rglob("*.jsonl")
    entries = [json.loads(line) for line in session.read_text(encoding="utf-8").splitlines()]
    return [entry["message"] for entry in entries if entry["type"] == "message"]


def test_a_tool_is_called_its_result_sent_back_and_the_answer_printed(pi: Pi, mock: Any, home: Path) -> None:
    mock.state.scenarios.add(scenarios.Reply(tool_calls=(scenarios.ToolCall("read", {"path": "notes.md"}),)))
    mock.state.scenarios.add(scenarios.Reply(text="The notes are short."))
    done = pi(["-p", "what do the notes say"])
    assert (done.stdout, done.returncode) == ("The notes are short.\n", 0), done.stderr
    said = messages(home)
    assert [message["role"] for message in said] == ["user", "assistant", "toolResult", "assistant"]
    assert "# The notes" in said[2]["content"][0]["text"]
    assert said[-1]["usage"]["output"] > 0
    mock.state.scenarios.add(scenarios.Reply(text="That was all."))
    assert pi(["-c", "-p", "and now"]).stdout == "That was all.\n"
    assert [message["role"] for message in messages(home)][4:] == ["user", "assistant"]


def test_the_key_is_nowhere_but_in_the_request(pi: Pi, mock: Any, home: Path) -> None:
    mock.state.scenarios.add(scenarios.Reply(tool_calls=(scenarios.ToolCall("bash", {"command": "env"}),)))
    mock.state.scenarios.add(scenarios.Fail(401))
    done = pi(["--mode", "json", "what is in the environment"])
    assert done.returncode == 1
    for text in (done.stdout, done.stderr, *(path.read_text("utf-8") for path in home.rglob("*") if path.is_file())):
        assert KEY not in text


FAULTS = {
    "overloaded": lambda: scenarios.Fail(529),
    "rate_limit": lambda: scenarios.Fail(429, retry_after=7.0),
    "network": lambda: scenarios.StreamFault("disconnect", after_chunks=2),
    "malformed": lambda: scenarios.StreamFault("malformed", after_chunks=2),
    "stream_stall": lambda: scenarios.StreamFault("stall", after_chunks=4, stall_seconds=30.0),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_each_fault_ends_in_its_class_and_a_session_that_goes_on(pi: Pi, mock: Any, home: Path, kind: str) -> None:
    mock.state.scenarios.add(FAULTS[kind]())
    done = pi(["-p", "say something long"])
    assert done.returncode == 1, done
    assert done.stderr.startswith("pi: error: ")
    last = messages(home)[-1]
    assert (last["role"], last["stopReason"], last["errorKind"]) == ("assistant", "error", kind)
    mock.state.scenarios.add(scenarios.Reply(text="Here it is."))
    again = pi(["-c", "-p", "once more"])
    assert again.returncode == 0, again.stderr
    assert [message["role"] for message in messages(home)] == ["user", "assistant", "user", "assistant"]


def test_the_server_has_nothing_to_complain_about(pi: Pi, mock: Any) -> None:
    mock.state.scenarios.add(scenarios.Reply(tool_calls=(scenarios.ToolCall("ls", {}),)))
    mock.state.scenarios.add(scenarios.Reply(text="I see."))
    assert pi(["-p", "look around"]).returncode == 0
    with urllib.request.urlopen(f"{mock.url}/_llmock/verdict", timeout=60) as answer:
        verdict = json.load(answer)
    assert [finding for finding in verdict["findings"] if finding["severity"] == "error"] == []
