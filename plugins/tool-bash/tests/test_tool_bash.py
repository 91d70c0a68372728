"""The bash tool over a shell tier that plays outcomes: what the model is told of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pi_api import ToolError
from pi_api.events import SessionShutdown
from pi_api.kinds import PROVIDERS, SERVICES, SHELL_TIERS, TOOLS
from pi_api.services import SHELL, Service
from pi_api.shell import OnOutput, ShellHost, ShellOutcome, ShellRequest
from pi_testkit import FakeSession, FakeToolContext
from pi_tool_bash import plugin
from pi_tool_bash.shell import Shell


@dataclass
class FakeTier:
    """A tier whose shell answers every command with the same output and outcome."""

    name: str = "fake"
    output: bytes = b""
    cause: str = "exited"
    exit_code: int | None = 0
    note: str = ""
    refusal: str | None = None
    reason: str | None = None
    hosts: list[ShellHost] = field(default_factory=list)
    requests: list[ShellRequest] = field(default_factory=list)
    closed: int = 0

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return self.reason

    def open(self, host: ShellHost) -> "FakeTier":
        self.hosts.append(host)
        return self

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        self.requests.append(request)
        for start in range(0, len(self.output), 10_000):
            await on_output(self.output[start : start + 10_000])
        return ShellOutcome(
            self.cause,
            self.exit_code,
            SOMEWHERE,
            self.name,
            self.refusal,
            self.note,  # type: ignore[arg-type]
        )

    async def close(self) -> None:
        self.closed += 1


class Bench:
    """The tool, loaded as a plugin, over one fake tier."""

    def __init__(self, plugin_host: Any, tmp_path: Path, *tiers: FakeTier) -> None:
        self.host = plugin_host(plugin)
        for tier in tiers:
            self.host.kernel.registry.add(SHELL_TIERS, tier, "test")
        self.session = FakeSession(tmp_path, kernel=self.host.kernel)
        self.context = FakeToolContext(tmp_path, session=self.session)

    async def run(self, command: str, **arguments: Any) -> Any:
        return await self.host.run("bash", self.context, command=command, **arguments)


async def run_with(plugin_host: Any, tmp_path: Path, command: str = "x", **tier: Any) -> Any:
    return await Bench(plugin_host, tmp_path, FakeTier(**tier)).run(command)


SOMEWHERE = Path("/somewhere")
TIMED_OUT = "Timed out after 120 s; give a longer timeout, or make the command end sooner."


@pytest.mark.parametrize(
    ("tier", "text", "is_error", "kind"),
    [
        ({"output": b"hello\n"}, "hello", False, None),
        ({}, "(no output)", False, None),
        ({"output": b"caf\xc3\xa9\n"}, "café", False, None),
        ({"output": b"x\n", "note": "careful"}, "x\ncareful", False, None),
        ({"output": b"no\n", "exit_code": 3}, f"no\nExit status 3.\ncwd: {SOMEWHERE}", True, "operation_outcome"),
        ({"exit_code": 1}, f"Exit status 1.\ncwd: {SOMEWHERE}", True, "operation_outcome"),
        (
            {"cause": "timeout", "exit_code": None, "output": b"half\n", "note": "killed"},
            f"half\n{TIMED_OUT}\ncwd: {SOMEWHERE}\nkilled",
            True,
            "tool_failure",
        ),
        (
            {"cause": "died", "exit_code": None},
            f"The shell died before it could report a status.\ncwd: {SOMEWHERE}",
            True,
            "tool_failure",
        ),
        (
            {"cause": "launch_failed", "exit_code": None, "note": "no such program"},
            f"The shell could not be started.\ncwd: {SOMEWHERE}\nno such program",
            True,
            "tool_failure",
        ),
        (
            {"cause": "refused", "exit_code": None, "note": "heredoc: use a file"},
            "heredoc: use a file",
            True,
            "tool_failure",
        ),
    ],
)
async def test_what_the_model_is_told(
    plugin_host: Any, tmp_path: Path, tier: dict[str, Any], text: str, is_error: bool, kind: str | None
) -> None:
    result = await run_with(plugin_host, tmp_path, **tier)
    assert (result.plain, result.is_error, result.error_kind) == (text, is_error, kind)
    assert result.details["cause"] == tier.get("cause", "exited")
    assert result.details["exitCode"] == tier.get("exit_code", 0)


@pytest.mark.parametrize("text", [b"not run\n", b"Timed out after 1 s\n", b"Exit status 0.\n"])
async def test_the_verdict_never_comes_from_what_was_printed(plugin_host: Any, tmp_path: Path, text: bytes) -> None:
    result = await run_with(plugin_host, tmp_path, output=text, exit_code=126)
    assert result.details["cause"] == "exited"
    assert result.details["exitCode"] == 126
    assert result.error_kind == "operation_outcome"


@pytest.mark.parametrize(
    ("command", "success"),
    [
        ("grep -r TODO src", True),
        ("rg TODO", True),
        ("cat a | grep x", True),
        ("cd src; grep x y", True),
        ("make && grep x y", False),
        ("grep x y | wc -l", False),
        ("grep x y; false", False),
        ("./grep-all", False),
        ("echo grep", False),
    ],
)
async def test_a_search_that_finds_nothing_is_a_success(
    plugin_host: Any, tmp_path: Path, command: str, success: bool
) -> None:
    result = await run_with(plugin_host, tmp_path, command, exit_code=1)
    assert result.is_error is not success
    assert ("(no matches)" in result.plain) is success


async def test_a_search_that_fails_is_a_failure(plugin_host: Any, tmp_path: Path) -> None:
    assert (await run_with(plugin_host, tmp_path, "grep x y", exit_code=2)).is_error
    assert (await run_with(plugin_host, tmp_path, "grep x y", exit_code=1, output=b"grep: y: ?\n")).is_error


async def test_long_output_is_cut_in_the_middle_and_kept_whole_in_a_file(plugin_host: Any, tmp_path: Path) -> None:
    whole = b"".join(b"line %d\n" % number for number in range(200_000))
    result = await run_with(plugin_host, tmp_path, output=whole)
    assert result.plain.startswith("line 0\nline 1\n")
    assert "line 199999\n[200000 lines" in result.plain
    assert len(result.plain.encode()) < 52 * 1024
    path = Path(result.details["fullOutputPath"])
    assert str(path) in result.plain
    assert path.read_bytes() == whole
    path.unlink()


async def test_what_is_cut_says_so_also_when_no_file_was_needed(plugin_host: Any, tmp_path: Path) -> None:
    whole = b"".join(b"%d\n" % number for number in range(5_000))
    result = await run_with(plugin_host, tmp_path, output=whole)
    assert "[5000 lines" in result.plain
    path = Path(result.details["fullOutputPath"])
    assert path.read_bytes() == whole
    path.unlink()


async def test_a_running_command_shows_its_last_lines(plugin_host: Any, tmp_path: Path) -> None:
    bench = Bench(plugin_host, tmp_path, FakeTier(output=b"1\n2\n3\n4\n5\n6\n7\n"))
    await bench.run("x")
    assert [update.plain for update in bench.context.updates] == ["3\n4\n5\n6\n7\n"]


@pytest.mark.parametrize(("arguments", "timeout"), [({}, 120.0), ({"timeout": 5}, 5), ({"timeout": 3600}, 3600)])
async def test_the_time_limit(plugin_host: Any, tmp_path: Path, arguments: dict[str, Any], timeout: float) -> None:
    tier = FakeTier()
    await Bench(plugin_host, tmp_path, tier).run("x", **arguments)
    assert tier.requests == [ShellRequest("x", timeout)]


async def test_one_shell_serves_the_session_and_is_closed_with_it(plugin_host: Any, tmp_path: Path) -> None:
    tier = FakeTier()
    bench = Bench(plugin_host, tmp_path, tier)
    bench.host.kernel.bind(bench.session, bench.session.bus)
    await bench.run("x")
    await bench.run("y")
    assert len(tier.hosts) == 1
    await bench.session.bus.emit(SessionShutdown("quit"))
    assert tier.closed == 1
    assert bench.host.failures == []


async def test_commands_do_not_see_the_keys_of_providers(plugin_host: Any, tmp_path: Path) -> None:
    tier = FakeTier()
    bench = Bench(plugin_host, tmp_path, tier)
    provider = SimpleNamespace(name="p", secret_variables=("P_KEY", "P_TOKEN"))
    bench.host.kernel.registry.add(PROVIDERS, provider, "test")
    env = {"P_KEY": "s3cret", "P_TOKEN": "s3cret", "HOME": "/home/me"}
    bench.session.options = SimpleNamespace(env=env)  # type: ignore[misc, assignment]
    await bench.run("env")
    assert dict(tier.hosts[0].env) == {"HOME": "/home/me"}


async def test_the_first_available_tier_is_taken(plugin_host: Any, tmp_path: Path) -> None:
    first, second, third = FakeTier("one", reason="not here"), FakeTier("two"), FakeTier("three")
    await Bench(plugin_host, tmp_path, first, second, third).run("x")
    assert [len(tier.requests) for tier in (first, second, third)] == [0, 1, 0]


async def test_a_router_goes_before_tiers(plugin_host: Any, tmp_path: Path) -> None:
    tier, router = FakeTier(), FakeTier("router")
    bench = Bench(plugin_host, tmp_path, tier)
    bench.host.kernel.registry.add(SERVICES, Service(SHELL, lambda kernel: router), "test")
    await bench.run("x")
    assert (len(tier.requests), len(router.requests)) == (0, 1)


@pytest.mark.parametrize(
    ("tiers", "complaint"),
    [((), "No shell tier is installed"), ((FakeTier("one", reason="install bash"),), "one: install bash")],
)
async def test_without_a_shell_the_model_is_told_why(
    plugin_host: Any, tmp_path: Path, tiers: tuple[FakeTier, ...], complaint: str
) -> None:
    with pytest.raises(ToolError, match=complaint):
        await Bench(plugin_host, tmp_path, *tiers).run("x")


async def test_a_session_without_commands_needs_no_shell() -> None:
    await Shell().close()


def test_the_tool_is_offered_with_bounds_on_its_time(plugin_host: Any) -> None:
    tool = plugin_host(plugin).get(TOOLS, "bash")
    assert tool.execution == "sequential"
    assert tool.schema["properties"]["timeout"]["maximum"] == 3600
