"""The routed session over tiers that record what they are asked, and over the real engine with real settings."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pi_api import SHELL, service
from pi_api.shell import OnOutput, ShellHost, ShellOutcome, ShellRequest, ShellSession, ShellState
from pi_kernel import hookimpl
from pi_shell_router.router import Router
from pi_shell_router.session import RoutedSession


class FakeTier:
    """Records commands; `cd X` and `A=b` change the shared state, `fail` ends with 1."""

    def __init__(self, name: str, reason: str | None = None) -> None:
        self.name = name
        self.reason = reason
        self.seen: list[tuple[str, str, Mapping[str, str]]] = []
        self.opened = 0
        self.closed = 0

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return self.reason

    def takes(self, words: tuple[str, ...]) -> bool:
        return words[0] != "printf"

    def open(self, host: ShellHost) -> ShellSession:
        self.opened += 1
        return FakeSession(self, host)


class FakeSession:
    def __init__(self, tier: FakeTier, host: ShellHost) -> None:
        assert host.state is not None
        self.tier = tier
        # Like a real bash, the posix tier keeps directory and environment to itself.
        self.state = host.state if tier.name != "posix" else ShellState(host.cwd, host.env)

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        command = request.command
        self.tier.seen.append((command, str(self.state.cwd), dict(self.state.env)))
        if command.startswith("cd "):
            self.state.apply(self.state.cwd / command[3:], self.state.env)
        elif "=" in command:
            name, _, value = command.partition("=")
            self.state.apply(self.state.cwd, {**self.state.env, name: value})
        status = 1 if command.startswith("grep") else 0
        return ShellOutcome("exited", status, self.state.cwd, self.tier.name)

    async def close(self) -> None:
        self.tier.closed += 1


class Tiers:
    """A plugin with these tiers."""

    def __init__(self, *tiers: FakeTier) -> None:
        self.tiers = tiers

    @hookimpl
    def pi_shell_tiers(self, register: Callable[[Any], None]) -> None:
        for tier in self.tiers:
            register(tier)


async def ignore(data: bytes) -> None:
    """Takes output and forgets it."""


Open = Callable[..., RoutedSession]


@pytest.fixture
def opened(plugin_host: Callable[..., Any], tmp_path: Path) -> Open:
    """Opens a session over tiers and settings."""

    def make(*tiers: FakeTier, settings: Mapping[str, Any] | None = None, agent: bool = False) -> RoutedSession:
        from pi_testkit import FakeSettings

        host = plugin_host(
            "pi_shell_router.plugin", Tiers(*tiers), FakeSettings(settings or {"shell": {"tier": "contract"}})
        )
        router = service(host.kernel, SHELL)
        assert isinstance(router, Router)
        session = router.open(ShellHost(tmp_path, {"HOME": str(tmp_path)}, "test", session=object() if agent else None))
        assert isinstance(session, RoutedSession)
        return session

    return make


async def run(session: RoutedSession, command: str) -> ShellOutcome:
    return await session.run(ShellRequest(command), ignore)


async def test_tiers_share_directory_and_environment(opened: Open, tmp_path: Path) -> None:
    floor, engine = FakeTier("powershell"), FakeTier("engine")
    session = opened(floor, engine)
    await run(session, "cd inner")
    await run(session, "A=1")
    outcome = await run(session, "git status")
    assert [command for command, _, _ in engine.seen] == ["cd inner", "A=1"]
    assert floor.seen == [("git status", str(tmp_path / "inner"), {"HOME": str(tmp_path), "A": "1"})]
    assert outcome.cwd == tmp_path / "inner"


async def test_a_tier_is_opened_once_and_closed_with_the_session(opened: Open) -> None:
    floor, engine = FakeTier("powershell"), FakeTier("engine")
    session = opened(floor, engine)
    for _ in range(3):
        await run(session, "git status")
    assert (floor.opened, engine.opened) == (1, 0)
    await session.close()
    assert (floor.closed, engine.closed) == (1, 0)


async def test_a_refusal_reaches_no_tier(opened: Open) -> None:
    engine = FakeTier("engine")
    outcome = await run(opened(engine), "echo a > f; bash -c x")
    assert (outcome.cause, outcome.refusal, engine.seen) == ("refused", "nested-shell", [])


@pytest.mark.parametrize("setting", [{"pythonEngine": False}])
async def test_python_engine_false_is_honoured(setting: dict[str, bool], opened: Open) -> None:
    floor, engine = FakeTier("powershell"), FakeTier("engine")
    session = opened(floor, engine, settings={"shell": {"tier": "contract"}, "windowsShell": setting})
    for command in ("ls | wc -l", "cd x", "export A=1", "a\nb"):
        outcome = await run(session, command)
        assert (outcome.cause, outcome.refusal) == ("refused", None)
        assert "windowsShell.pythonEngine" in outcome.note
    assert (await run(session, "git status")).cause == "exited"
    assert engine.seen == []


async def test_a_tier_that_cannot_run_says_why(opened: Open) -> None:
    outcome = await run(opened(FakeTier("engine", "it is broken; mend it")), "a | b")
    assert "it is broken; mend it" in outcome.note


@pytest.mark.skipif(os.name == "nt", reason="auto means the contract on Windows")
async def test_auto_is_bash_where_there_is_one(opened: Open) -> None:
    posix, engine = FakeTier("posix"), FakeTier("engine")
    session = opened(posix, engine, settings={"shell": {"tier": "auto"}})
    await run(session, "cat <<EOF\nx\nEOF")
    assert (len(posix.seen), len(engine.seen)) == (1, 0)


async def test_the_directory_of_a_tier_that_keeps_its_own_is_followed(opened: Open, tmp_path: Path) -> None:
    posix = FakeTier("posix")
    session = opened(posix, settings={"shell": {"tier": "posix"}}, agent=True)
    await run(session, "cd inner")
    assert (await run(session, f"rg x {tmp_path}")).cause == "refused"


async def test_agents_are_kept_from_searching_a_whole_disk(opened: Open) -> None:
    engine = FakeTier("engine")
    outcome = await run(opened(engine, agent=True), "rg x /")
    assert outcome.cause == "refused"
    assert "narrower" in outcome.note
    assert engine.seen == []


async def test_the_guard_can_be_switched_off_and_is_not_for_people(opened: Open) -> None:
    engine = FakeTier("engine")
    off = {"shell": {"tier": "contract", "searchGuard": False}}
    assert (await run(opened(engine, agent=True, settings=off), "rg x /")).cause == "exited"
    assert (await run(opened(engine), "rg x /")).cause == "exited"


async def test_an_empty_search_is_marked(opened: Open) -> None:
    session = opened(FakeTier("engine"))
    assert (await run(session, "grep x f")).details == {"searched": True}
    assert (await run(session, "grep x f | cat")).details == {}


async def test_the_real_engine_behind_the_real_router(plugin_host: Callable[..., Any], tmp_path: Path) -> None:
    host = plugin_host("pi_shell_router.plugin", "pi_shell_engine.plugin", env={**os.environ})
    router = service(host.kernel, SHELL)
    assert isinstance(router, Router)
    session = router.open_with(ShellHost(tmp_path, dict(os.environ), "test"), "contract")
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    try:
        await session.run(ShellRequest("mkdir -p inner && cd inner && export A='b c'"), keep)
        outcome = await session.run(ShellRequest('pwd; for i in $A; do echo "$i"; done | sort -r'), keep)
    finally:
        await session.close()
    assert output.decode().splitlines()[1:] == ["c", "b"]
    assert (outcome.tier, outcome.cwd) == ("engine", tmp_path / "inner")
