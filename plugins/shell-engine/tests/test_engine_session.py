"""Sessions on a real engine: state, serialisation, timeouts, aborts and crashes."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from pi_api.shell import ShellHost, ShellOutcome, ShellRequest, ShellState
from pi_shell_engine.interpreter import FixedInterpreter
from pi_shell_engine.session import EngineSession
from pi_shell_engine.tier import EngineTier
from pi_testkit.contracts import ShellTierContract

DEADLINE = 60.0
PYTHON = f"'{sys.executable}'"


class TestContract(ShellTierContract):
    make_and_enter = "mkdir inner && cd inner"
    hang = f"echo started; {PYTHON} -c 'import time; time.sleep(600)'"

    @pytest.fixture
    def tier(self) -> EngineTier:
        return EngineTier()


class Shell:
    """A session with its output."""

    def __init__(self, session: EngineSession, state: ShellState) -> None:
        self.session = session
        self.state = state
        self.output = bytearray()
        self.started = asyncio.Event()

    async def run(self, command: str, timeout: float | None = DEADLINE, **more: object) -> tuple[bytes, ShellOutcome]:
        self.output.clear()
        async with asyncio.timeout(DEADLINE):
            outcome = await self.session.run(ShellRequest(command, timeout, **more), self.keep)  # type: ignore[arg-type]
        return bytes(self.output), outcome

    async def keep(self, data: bytes) -> None:
        self.output.extend(data)
        self.started.set()

    @property
    def engine_pid(self) -> int:
        assert self.session.engine_pid is not None
        return self.session.engine_pid


@pytest.fixture
async def open_shell(tmp_path: Path) -> AsyncIterator[Callable[[], Shell]]:
    opened: list[Shell] = []

    def make(python: str = sys.executable) -> Shell:
        state = ShellState(tmp_path, {**os.environ, "HOME": str(tmp_path)})
        host = ShellHost(tmp_path, state.env, "test", state=state)
        opened.append(Shell(EngineSession(host, FixedInterpreter(python)), state))
        return opened[-1]

    yield make
    for shell in opened:
        await shell.session.close()


@pytest.fixture
def shell(open_shell: Callable[[], Shell]) -> Shell:
    return open_shell()


async def test_one_engine_serves_many_commands(shell: Shell) -> None:
    await shell.run("true")
    pid = shell.engine_pid
    for _ in range(20):
        assert (await shell.run("echo again | cat"))[0] == b"again\n"
    assert shell.engine_pid == pid


async def test_commands_of_one_session_wait_for_each_other(shell: Shell) -> None:
    first, second = await asyncio.gather(
        shell.session.run(ShellRequest("for i in 1 2 3; do echo $i >> log; done; export N=1"), shell.keep),
        shell.session.run(ShellRequest("echo $N >> log; cat log"), shell.keep),
    )
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert bytes(shell.output) == b"1\n2\n3\n1\n"


async def test_sessions_do_not_share_anything(open_shell: Callable[[], Shell]) -> None:
    one, other = open_shell(), open_shell()
    await one.run("export MINE=1; mkdir -p d; cd d")
    output, outcome = await other.run("echo [$MINE]")
    assert output == b"[]\n"
    assert outcome.cwd != one.state.cwd
    assert one.engine_pid != other.engine_pid


async def test_state_belongs_to_the_host_and_survives_a_crash(shell: Shell) -> None:
    await shell.run("export KEPT=yes GONE=1; mkdir -p inner; cd inner; unset GONE")
    os.kill(shell.engine_pid, 9 if os.name != "nt" else 15)
    output, outcome = await shell.run("echo $KEPT [$GONE]; pwd")
    if outcome.cause == "died":
        output, outcome = await shell.run("echo $KEPT [$GONE]; pwd")
    assert output.splitlines()[0] == b"yes []"
    assert outcome.cwd.name == "inner"


async def test_a_shared_state_is_read_with_every_command(shell: Shell, tmp_path: Path) -> None:
    await shell.run("A=1")
    shell.state.apply(tmp_path, {**shell.state.env, "B": "from another tier"})
    assert (await shell.run("echo $A $B"))[0] == b"1 from another tier\n"


async def test_a_timeout_ends_the_request_and_keeps_the_state(shell: Shell) -> None:
    await shell.run("export KEPT=yes")
    output, outcome = await shell.run(
        f"export LOST=1; echo before; {PYTHON} -c 'import time; time.sleep(600)'; echo no", 1.5
    )
    assert (output, outcome.cause, outcome.exit_code) == (b"before\n", "timeout", None)
    assert "killed" in outcome.note
    assert (await shell.run("echo $KEPT[$LOST]"))[0] == b"yes[]\n"


@pytest.mark.parametrize(
    "command",
    [
        "for ((;;)); do true; done",
        "grep -E '(a+)+$' hard",
        "sort endless | cat",
        "cat endless | wc -l",
        "X=$(for ((;;)); do true; done)",
        "for ((;;)); do echo x; done | for ((;;)); do true; done",
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="uses a FIFO for an input that never ends")
async def test_a_deadline_holds_inside_builtins_loops_and_patterns(command: str, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "hard").write_text("a" * 64 + "b\n")
    os.mkfifo(tmp_path / "endless")
    _, outcome = await shell.run(command, 0.5)
    assert outcome.cause == "timeout"
    assert (await shell.run("echo ok"))[0] == b"ok\n"


async def test_cancelling_kills_the_command_and_the_next_starts_clean(shell: Shell) -> None:
    command = f"echo started; {PYTHON} -c 'import time; time.sleep(600)'"
    running = asyncio.ensure_future(shell.session.run(ShellRequest(command), shell.keep))
    async with asyncio.timeout(DEADLINE):
        await shell.started.wait()
        running.cancel()
        await asyncio.wait({running})
    assert running.cancelled()
    assert (await shell.run("echo ok"))[0] == b"ok\n"


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie that nobody has collected yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


DETACHED = (
    "import os, sys, time\n"
    "if os.fork() == 0:\n"
    "    os.setsid()\n"
    "    if os.fork() == 0:\n"
    "        open('pid', 'w').write(str(os.getpid()))\n"
    "        time.sleep(600)\n"
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
@pytest.mark.parametrize("ending", ["timeout", "cancel", "close"])
async def test_what_left_its_session_dies_with_the_command_or_the_shell(
    ending: str, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "detach.py").write_text(DETACHED)
    await shell.run(f"{PYTHON} detach.py")
    async with asyncio.timeout(DEADLINE):
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            await asyncio.sleep(0.005)
    pid = int((tmp_path / "pid").read_text())
    assert alive(pid)
    if ending == "timeout":
        await shell.run("for ((;;)); do true; done", 0.2)
    elif ending == "cancel":
        running = asyncio.ensure_future(
            shell.session.run(ShellRequest("echo on; for ((;;)); do true; done"), shell.keep)
        )
        await shell.started.wait()
        running.cancel()
        await asyncio.wait({running})
    else:
        await shell.session.close()
    assert not alive(pid)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
async def test_closing_waits_until_every_engine_it_ever_had_is_gone(shell: Shell) -> None:
    pids = []
    for _ in range(3):
        await shell.run("true")
        pids.append(shell.engine_pid)
        await shell.run("for ((;;)); do true; done", 0.1)
    await shell.run("true")
    pids.append(shell.engine_pid)
    await shell.session.close()
    assert not any(map(alive, pids))
    assert len(set(pids)) == 4


async def test_a_refusal_is_an_outcome_with_its_identifier_and_changes_nothing(shell: Shell) -> None:
    output, outcome = await shell.run("echo no > file; bash -c x")
    assert (output, outcome.cause, outcome.refusal) == (b"", "refused", "nested-shell")
    assert "nested-shell" in outcome.note
    assert (await shell.run("test -e file"))[1].exit_code == 1


async def test_a_refusal_found_while_running_still_reports_the_state(shell: Shell) -> None:
    _, outcome = await shell.run("export A=1; X=bash; $X -c true")
    assert outcome.refusal == "nested-shell"
    assert (await shell.run("echo $A"))[0] == b"1\n"


async def test_standard_input_comes_with_the_request_and_is_empty_otherwise(shell: Shell) -> None:
    assert (await shell.run("cat"))[0] == b""
    assert (await shell.run(f"{PYTHON} -c 'import sys; print(repr(sys.stdin.read()))'"))[0].strip() == b"''"
    big = b"\x00\xff\n" * 400_000
    assert (await shell.run("cat", stdin=big))[0] == big
    assert (await shell.run("true", stdin=big))[1].exit_code == 0
    assert (await shell.run("echo ok"))[0] == b"ok\n"


async def test_standard_error_is_kept_apart_when_asked_for(shell: Shell) -> None:
    output, outcome = await shell.run("echo out; echo err >&2; echo out", split=True)
    assert (output, outcome.stderr) == (b"out\nout\n", b"err\n")
    output, outcome = await shell.run("echo out; echo err >&2; echo out")
    assert (output, outcome.stderr) == (b"out\nerr\nout\n", b"")


async def test_a_variable_of_many_megabytes_is_no_problem(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "big").write_text("x" * (3 << 20))
    assert (await shell.run("BIG=$(cat big); echo ${#BIG}"))[0].strip() == str(3 << 20).encode()
    assert (await shell.run("echo ${#BIG}; unset BIG"))[0].strip() == str(3 << 20).encode()
    assert (await shell.run("echo ${#BIG}"))[0] == b"0\n"


async def test_a_deleted_directory_does_not_wedge_the_session(shell: Shell, tmp_path: Path) -> None:
    await shell.run("mkdir gone; cd gone")
    (tmp_path / "gone").rmdir()
    _, outcome = await shell.run("echo hi")
    assert outcome.refusal == "cwd-missing"
    assert "cd" in outcome.note
    assert (await shell.run("cd ..; echo here"))[0] == b"here\n"
    assert shell.state.cwd == tmp_path


async def test_an_interpreter_that_is_not_there_is_told_with_its_remedy(open_shell: Callable[..., Shell]) -> None:
    _, outcome = await open_shell("/nowhere/python").run("true")
    assert outcome.cause == "launch_failed"
    for part in ("/nowhere/python", "unavailable", "Simple commands still run", "pipelines"):
        assert part in outcome.note


async def test_python_variables_of_the_user_do_not_reach_the_engine(tmp_path: Path) -> None:
    hostile = {"PYTHONSAFEPATH": "1", "PYTHONHOME": "/nowhere", "PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": "/x"}
    (tmp_path / "json.py").write_text("raise SystemExit('wrong json')")
    env = {**os.environ, **hostile}
    session = EngineSession(ShellHost(tmp_path, env, "test"), FixedInterpreter(sys.executable))
    shell = Shell(session, ShellState(tmp_path, env))
    try:
        assert (await shell.run("echo $PYTHONHOME | cat"))[0] == b"/nowhere\n"
    finally:
        await session.close()


async def test_the_record_separator_in_output_is_output(shell: Shell) -> None:
    output, _ = await shell.run(r"printf '\036abc\036\036%s\036' 0123456789abcdef; printf '\036'")
    assert output == b"\x1eabc\x1e\x1e0123456789abcdef\x1e\x1e"
