"""What pi expects of a shell tier."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio
from pi_api.shell import ShellHost, ShellOutcome, ShellRequest, ShellSession, ShellTier

DEADLINE = 60.0


class ShellTierContract:
    """Subclass and define the fixture `tier`. The commands below may be replaced by ones of the tier's language."""

    say_hello = "echo hello"
    say_on_stderr = "echo oops >&2"
    fail_with_3 = "(exit 3)"
    make_and_enter = "mkdir inner && cd inner"
    where = "pwd"
    remember = "KEPT=treasure; export KEPT"
    recall = "echo $KEPT"
    hang = "echo started; sleep 600"

    def env(self) -> Mapping[str, str]:
        """The environment shells start with."""
        return dict(os.environ)

    @pytest_asyncio.fixture
    async def shell(self, tier: ShellTier, tmp_path: Path) -> AsyncIterator[ShellSession]:
        if reason := tier.unavailable(self.env()):
            pytest.skip(reason)
        opened = tier.open(ShellHost(tmp_path, self.env(), "contract"))
        yield opened
        async with asyncio.timeout(DEADLINE):
            await opened.close()

    def test_it_has_a_name_and_says_why_it_is_unavailable(self, tier: ShellTier) -> None:
        assert tier.name
        reason = tier.unavailable({})
        assert reason is None or len(reason.split()) >= 3

    async def test_output_and_success(self, shell: ShellSession, tmp_path: Path) -> None:
        outcome, output = await run(shell, self.say_hello)
        assert output.strip() == "hello"
        assert (outcome.cause, outcome.exit_code) == ("exited", 0)
        assert outcome.cwd.resolve() == tmp_path.resolve()

    async def test_stderr_is_output_too(self, shell: ShellSession) -> None:
        assert (await run(shell, self.say_on_stderr))[1].strip() == "oops"

    async def test_the_exit_code_is_reported(self, shell: ShellSession) -> None:
        outcome, _ = await run(shell, self.fail_with_3)
        assert (outcome.cause, outcome.exit_code) == ("exited", 3)

    async def test_the_working_directory_lives_on(self, shell: ShellSession, tmp_path: Path) -> None:
        outcome, _ = await run(shell, self.make_and_enter)
        assert outcome.cwd.resolve() == (tmp_path / "inner").resolve()
        assert "inner" in (await run(shell, self.where))[1]

    async def test_variables_live_on(self, shell: ShellSession) -> None:
        await run(shell, self.remember)
        assert (await run(shell, self.recall))[1].strip() == "treasure"

    async def test_a_timeout_ends_the_command_and_leaves_a_shell(self, shell: ShellSession) -> None:
        outcome, _ = await run(shell, self.hang, timeout=0.5)
        assert outcome.cause == "timeout"
        assert (await run(shell, self.say_hello))[1].strip() == "hello"

    async def test_cancelling_ends_the_command_and_leaves_a_shell(self, shell: ShellSession) -> None:
        started = asyncio.Event()

        async def on_output(data: bytes) -> None:
            started.set()

        running = asyncio.ensure_future(shell.run(ShellRequest(self.hang), on_output))
        async with asyncio.timeout(DEADLINE):
            await started.wait()
            running.cancel()
            await asyncio.wait({running})
        assert running.cancelled()
        assert (await run(shell, self.say_hello))[1].strip() == "hello"

    async def test_closing_twice_is_harmless(self, tier: ShellTier, shell: ShellSession) -> None:
        await run(shell, self.say_hello)
        async with asyncio.timeout(DEADLINE):
            await shell.close()
            await shell.close()


async def run(shell: ShellSession, command: str, timeout: float | None = 30.0) -> tuple[ShellOutcome, str]:
    """The outcome and the output, decoded, of one command."""
    chunks: list[bytes] = []

    async def on_output(data: bytes) -> None:
        chunks.append(data)

    async with asyncio.timeout(DEADLINE):
        outcome = await shell.run(ShellRequest(command, timeout), on_output)
    return outcome, b"".join(chunks).decode("utf-8", "replace")
