"""The ways to decide: `pi trust`, `/trust`, the flags; and the line that says what was left out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api import TRUST, CommandContext, DoctorView, Finding, service
from pi_api.events import Notice
from pi_api.kinds import COMMANDS, DOCTOR_CHECKS, FLAGS
from pi_kernel import Kernel
from pi_trust.command import main

Host = Callable[..., Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".pi").mkdir(parents=True)
    (folder / "AGENTS.md").write_text("be kind")
    return folder


@pytest.fixture
def kernel(tmp_path: Path) -> Kernel:
    return Kernel(env={"PI_CODING_AGENT_DIR": str(tmp_path / "agent-dir")}, sources=list)


def test_the_flags_are_offered_with_their_short_forms(plugin_host: Host) -> None:
    host = plugin_host("pi_trust.plugin")
    assert [(host.get(FLAGS, name).short, host.get(FLAGS, name).kind) for name in ("approve", "no-approve")] == [
        ("a", "switch"),
        ("na", "switch"),
    ]


def test_the_command_tells_decides_and_forgets(
    kernel: Kernel, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        ([], "not decided, so not trusted"),
        (["yes"], "and everything below it is trusted"),
        (["status"], f"trusted (decided for {project})"),
        (["no"], "is not trusted"),
        (["forget"], "not decided, so not trusted"),
    ]
    for words, expected in steps:
        assert main(kernel, [*(words or ["status"]), str(project)]) == 0
        assert expected in capsys.readouterr().out


def test_the_command_speaks_json(kernel: Kernel, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(kernel, ["yes", str(project.parent)])
    capsys.readouterr()
    assert main(kernel, ["status", "--json", str(project)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "directory": str(project),
        "decision": True,
        "decidedFor": str(project.parent.resolve()),
        "evidence": [str(project.resolve() / ".pi"), str(project.resolve() / "AGENTS.md")],
    }


def test_the_command_refuses_what_it_cannot_do(
    kernel: Kernel, tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(kernel, ["yes", str(tmp_path / "nowhere")]) == 2
    assert "nowhere is not a directory" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(kernel, ["maybe"])
    assert left.value.code == 2
    store = kernel.agent_dir / "state" / "trust.json"
    store.parent.mkdir(parents=True)
    store.write_text("{oops")
    assert main(kernel, ["yes", str(project)]) == 1
    assert "correct it or delete it" in capsys.readouterr().err


async def test_the_slash_command_decides_for_the_sessions_directory(plugin_host: Host, project: Path) -> None:
    host = plugin_host("pi_trust.plugin")
    command, said = host.get(COMMANDS, "trust"), []
    context = CommandContext(host.session(cwd=project), said.append)
    for arguments in ("", "yes", "perhaps", "forget"):
        await command.run(arguments, context)
    assert "not decided" in said[0] and "is trusted" in said[1] and "not 'perhaps'" in said[2]
    assert service(host.kernel, TRUST).decision(project) is None
    assert command.complete is not None and command.complete("f") == ["forget"]


def test_the_doctor_looks_at_the_store(plugin_host: Host, project: Path) -> None:
    host = plugin_host("pi_trust.plugin")
    check, trust = host.get(DOCTOR_CHECKS, "trust").check, service(host.kernel, TRUST)
    view = DoctorView({}, project, host.kernel.agent_dir)
    assert check(view) == Finding(True, "nothing decided here")
    trust.decide(project, True)
    assert check(view) == Finding(True, "this directory is trusted")
    (host.kernel.agent_dir / "state" / "trust.json").write_text("{oops")
    assert not check(view).ok


async def notices(host: Any, session: Any) -> list[str]:
    """Start a session and give the notices it emits."""
    heard: list[str] = []
    session.bus.on(Notice, lambda notice: heard.append(notice.text))
    await session.start()
    host.check()
    return heard


async def test_an_undecided_project_is_announced_in_one_line(plugin_host: Host, project: Path) -> None:
    host = plugin_host("pi_trust.plugin")
    (heard,) = await notices(host, host.session(cwd=project))
    assert "\n" not in heard
    assert ".pi, AGENTS.md had no effect" in heard and "`pi trust yes`" in heard and "--approve" in heard


@pytest.mark.parametrize("stored", [True, False])
async def test_a_decision_silences_the_line(plugin_host: Host, project: Path, stored: bool) -> None:
    host = plugin_host("pi_trust.plugin")
    service(host.kernel, TRUST).decide(project, stored)
    assert await notices(host, host.session(cwd=project)) == []


async def test_an_ordinary_directory_needs_no_line(plugin_host: Host, tmp_path: Path) -> None:
    host = plugin_host("pi_trust.plugin")
    assert await notices(host, host.session(cwd=tmp_path)) == []


async def test_a_damaged_store_is_announced(plugin_host: Host, project: Path) -> None:
    host = plugin_host("pi_trust.plugin")
    store = host.kernel.agent_dir / "state" / "trust.json"
    store.parent.mkdir(parents=True)
    store.write_text("{oops")
    (heard,) = await notices(host, host.session(cwd=project))
    assert "trust.json is not JSON" in heard
