"""The main job with the offline model: a question, real tool calls, an answer, a session that is taken up again."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Pi = Callable[..., CompletedProcess[str]]
pytestmark = pytest.mark.windows


@pytest.fixture
def three_files(project: Path) -> Path:
    """A project with two Python files, one of them in a folder, and a text."""
    (project / "package").mkdir()
    (project / "one.py").write_text('print("first line")\n', encoding="utf-8")
    (project / "package" / "two.py").write_text("x = 2\n", encoding="utf-8")
    (project / "README.md").write_text("# A project\n\nIts text.\n", encoding="utf-8")
    return project


def sessions(home: Path) -> list[Path]:
    """Every session file below a home."""
    return sorted(home.rglob("*.jsonl"))


def entries(session: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session.read_text(encoding="utf-8").splitlines()]


def test_a_question_is_answered_by_calling_tools(pi: Pi, three_files: Path, home: Path) -> None:
    done = pi(["-p", "how many Python files are there"])
    assert done.returncode == 0, done.stderr
    assert "2" in done.stdout
    (session,) = sessions(home)
    roles = [entry["message"]["role"] for entry in entries(session) if entry["type"] == "message"]
    assert roles[0] == "user"
    assert "toolResult" in roles
    assert roles[-1] == "assistant"


def test_the_session_goes_on_with_c(pi: Pi, three_files: Path, home: Path) -> None:
    assert pi(["-p", "how many Python files are there"]).returncode == 0
    (session,) = sessions(home)
    before = entries(session)
    done = pi(["-c", "-p", "show the first lines of README.md"])
    assert done.returncode == 0, done.stderr
    assert "# A project" in done.stdout
    assert sessions(home) == [session]
    assert entries(session)[: len(before)] == before
    assert len(entries(session)) > len(before)


def test_nothing_in_the_project_is_touched(pi: Pi, three_files: Path) -> None:
    before = {path: path.read_bytes() for path in three_files.rglob("*") if path.is_file()}
    assert pi(["-p", "how many Python files are there"]).returncode == 0
    assert {path: path.read_bytes() for path in three_files.rglob("*") if path.is_file()} == before
