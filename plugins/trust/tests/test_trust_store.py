"""Decisions on disk: shared by links, safe from damage, kept by two processes at once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pi_api import UsageError
from pi_trust.store import UnreadableStore
from pi_trust.trust import ProjectTrust


@pytest.fixture
def agent_dir(tmp_path: Path) -> Path:
    return tmp_path / "agent"


@pytest.fixture
def trust(tmp_path: Path, agent_dir: Path) -> ProjectTrust:
    return ProjectTrust(agent_dir, tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "project"
    (folder / ".pi").mkdir(parents=True)
    return folder


def test_nothing_is_trusted_until_decided(trust: ProjectTrust, project: Path, agent_dir: Path) -> None:
    assert (trust.needed(project), trust.decision(project), trust.trusted(project, {})) == (True, None, False)
    assert not agent_dir.exists()


def test_a_decision_is_kept_and_forgotten(trust: ProjectTrust, project: Path, tmp_path: Path) -> None:
    trust.decide(project, True)
    again = ProjectTrust(tmp_path / "agent", tmp_path / "home")
    assert again.trusted(project, {}) and again.trusted(project / ".pi", {})
    again.decide(project, None)
    assert trust.decision(project) is None


FLAGS = [
    ({"approve": True}, None, True),
    ({"no-approve": True}, True, False),
    ({"approve": True}, False, True),
    ({}, False, False),
]


@pytest.mark.parametrize(("flags", "stored", "expected"), FLAGS)
def test_flags_count_for_this_run_only(
    trust: ProjectTrust, project: Path, flags: dict[str, bool], stored: bool | None, expected: bool
) -> None:
    trust.decide(project, stored)
    assert trust.trusted(project, flags) is expected
    assert trust.decision(project) is stored


def test_both_flags_are_a_mistake(trust: ProjectTrust, project: Path) -> None:
    with pytest.raises(UsageError, match="contradict each other"):
        trust.trusted(project, {"approve": True, "no-approve": True})


def symlink_or_skip(link: Path, target: Path) -> None:
    """Make a link; skip where none comes of it, as without the right on Windows, and under Wine."""
    try:
        link.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this system does not let this user make symbolic links")
    if not link.is_symlink():
        pytest.skip("this system makes no symbolic links, though it says so")


def test_links_share_the_decision_of_what_they_lead_to(trust: ProjectTrust, project: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    symlink_or_skip(link, project)
    trust.decide(link, True)
    assert trust.decision(project) is True
    trust.decide(project, False)
    assert trust.decision(link) is False
    assert trust.needed(link)


MALFORMED = ["{oops", "[]", '"yes"', "[" * 50_000, '{"/": "yes"}', '{"/": 1}', "\x00"]


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_a_damaged_store_grants_nothing_and_stops_nothing(
    trust: ProjectTrust, project: Path, agent_dir: Path, text: str
) -> None:
    store = agent_dir / "state" / "trust.json"
    store.parent.mkdir(parents=True)
    store.write_text(text)
    assert (trust.decision(project), trust.trusted(project, {})) == (None, False)


def test_a_damaged_store_is_not_overwritten(trust: ProjectTrust, project: Path, agent_dir: Path) -> None:
    store = agent_dir / "state" / "trust.json"
    store.parent.mkdir(parents=True)
    store.write_text("{oops")
    with pytest.raises(UnreadableStore, match=r"trust\.json is not JSON.*correct it or delete it"):
        trust.decide(project, True)
    assert store.read_text() == "{oops"
    assert "trust.json" in trust.problem()


WRITER = """
import sys
from pathlib import Path
from pi_trust.trust import ProjectTrust
trust = ProjectTrust(Path(sys.argv[1]), Path(sys.argv[1]))
for number in range(20):
    trust.decide(Path(sys.argv[1], sys.argv[2], str(number)), True)
"""


def test_two_processes_deciding_at_once_lose_nothing(agent_dir: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(agent_dir)]
    with subprocess.Popen([*command, "one"]) as one, subprocess.Popen([*command, "two"]) as two:
        assert (one.wait(120), two.wait(120)) == (0, 0)
    assert len(json.loads((agent_dir / "state" / "trust.json").read_text())) == 40
