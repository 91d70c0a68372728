"""The persistent bash: equal to `bash -c` in what a command prints and returns, and hard to break."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from pi_api.shell import ShellHost, ShellOutcome, ShellRequest
from pi_shell_posix.session import BashSession
from pi_shell_posix.tier import PosixTier, find_bash

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the posix tier is for Linux and macOS")

Run = Callable[..., Awaitable[tuple[bytes, ShellOutcome]]]


class Shells:
    """Makes shells and runs commands in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        self.opened: list[BashSession] = []

    def open(self) -> BashSession:
        session = PosixTier().open(ShellHost(self.folder, self.env, "test"))
        assert isinstance(session, BashSession)
        self.opened.append(session)
        return session

    async def run(self, session: BashSession, command: str, timeout: float | None = 60.0) -> tuple[bytes, ShellOutcome]:
        output = bytearray()

        async def keep(data: bytes) -> None:
            output.extend(data)

        outcome = await session.run(ShellRequest(command, timeout), keep)
        return bytes(output), outcome


@pytest.fixture
async def shells(tmp_path: Path) -> AsyncIterator[Shells]:
    made = Shells(tmp_path)
    yield made
    for session in made.opened:
        await session.close()


COMMANDS = [
    "echo hello",
    "printf 'no newline'",
    "echo out; echo err >&2; echo out again",
    "false",
    "exit 3",
    "(exit 4)",
    "ls /nonexistent-directory",
    "printf 'a\\\\b\\n'",
    "printf '%s\\n' 'a\\\\b'",
    'echo "it\'s $((6 * 7))" \'single "double"\'',
    "printf '\\036\\037\\000\\377'",
    "cat",
    'read x; echo "got [$x]"',
    "cat <<'END'\n$not expanded `neither`\nEND",
    "echo unclosed '",
    "if true",
    "for i in 1 2 3; do echo $i; done | tac",
    "set -e; false; echo not reached",
    "set -o pipefail; false | true",
    "set -x; echo traced",
    "kill -TERM $$",
    "exec false",
    "exec echo replaced",
    "trap 'echo bye' EXIT; exit 5",
    "f() { return 6; }; f",
    "sleep 0.01 & wait; echo waited",
    "seq 1 20000 | md5sum",
    "echo żółć 日本語 🎉",
    "true # comment",
    "  echo   spaced   ",
    "echo a\n\necho b\n",
    "echo -n; echo $?",
    "command -v bash >/dev/null && echo found",
    "nosuchcommand_really",
    "/",
    "echo $0 >/dev/null; echo $#",
    "exec 3>file; echo three >&3; cat file",
    "exec >captured; echo into the file",
    "builtin exit 7",
    "return 2",
    "shopt -s extglob; eval 'echo @(a|b)'",
]


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_prints_and_returns_what_bash_does(shells: Shells, command: str) -> None:
    expected = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", command],
        cwd=shells.folder, env=shells.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False,
    )  # fmt: skip
    status = expected.returncode if expected.returncode >= 0 else 128 - expected.returncode
    session = shells.open()
    output, outcome = await shells.run(session, command)
    assert (outcome.cause, outcome.exit_code) == ("exited", status)
    assert without_prefix(output) == without_prefix(expected.stdout)
    assert (await shells.run(session, "echo alive"))[0].endswith(b"alive\n")


def without_prefix(output: bytes) -> bytes:
    """Output without bash's own prefixes, which name a line and the way the text was given."""
    lines = output.split(b"\n")
    return b"\n".join(b"bash: " + line.rpartition(b": ")[2] if b"bash: " in line else line for line in lines).replace(
        b"++ ", b"+ "
    )


async def test_an_unset_variable_under_nounset_ends_the_command_and_not_the_session(shells: Shells) -> None:
    session = shells.open()
    output, outcome = await shells.run(session, "set -u; echo $undefined_variable; echo not reached")
    assert b"unbound variable" in output
    assert b"not reached" not in output
    assert outcome.exit_code != 0
    assert (await shells.run(session, "echo [$undefined_variable]"))[0] == b"[]\n"


async def test_directory_variables_and_functions_live_on(shells: Shells) -> None:
    session = shells.open()
    (shells.folder / "a b").mkdir()
    _, outcome = await shells.run(session, "cd 'a b'; X=1; export Y='2 3'; f() { echo $X $Y; }")
    assert outcome.cwd == shells.folder / "a b"
    output, _ = await shells.run(session, "pwd; f; bash -c 'echo ${X-unset} $Y'")
    assert output.decode() == f"{shells.folder}/a b\n1 2 3\nunset 2 3\n"


async def test_after_an_exit_exported_variables_functions_and_directory_are_still_there(shells: Shells) -> None:
    session = shells.open()
    _, outcome = await shells.run(session, "cd /; export Y=$'line\\none'; f() { echo in f; }; exit 9")
    assert (outcome.exit_code, outcome.note) == (9, "")
    assert (await shells.run(session, 'pwd; echo "$Y"; f'))[0] == b"/\nline\none\nin f\n"


@pytest.mark.parametrize(
    "vandalism",
    [
        "export PATH=/nonexistent",
        "exec >/dev/null",
        "exec >/dev/null 2>&1 </dev/zero",
        "exec 1>&- 2>&-",
        "set -e",
        "set -eu -o pipefail",
        "set -f; IFS=x",
        "unset PWD HOME PATH",
        "printf() { command false; }; echo() { command false; }; cd() { command false; }",
        "trap 'printf garbage' DEBUG; trap 'printf garbage' ERR",
        "PS4='$(printf garbage)'; LC_ALL=nonsense",
        "cd / && mkdir -p $HOME/gone && cd $HOME/gone && rmdir $HOME/gone",
        "shopt -s expand_aliases; alias builtin=false eval=false",
        "exec 198>&- 199>&-; exit 0",
        "ulimit -n 250",
        "false &",
    ],
)
async def test_vandalism_does_not_break_the_protocol(shells: Shells, vandalism: str) -> None:
    session = shells.open()
    await shells.run(session, vandalism)
    output, outcome = await shells.run(session, "\\builtin printf '%s\\n' still; (exit 3)")
    assert (output, outcome.cause, outcome.exit_code) == (b"still\n", "exited", 3)
    output, outcome = await shells.run(session, "false; \\builtin printf after")
    assert (output, outcome.exit_code) == (b"after", 0)


async def test_a_look_alike_of_the_end_passes_through_as_data(shells: Shells) -> None:
    session = shells.open()
    fake = "\\036" + "0" * 16 + "\\036"
    output, outcome = await shells.run(session, f"printf '{fake}'; printf '\\036' ; exit 2")
    assert output == b"\x1e" + b"0" * 16 + b"\x1e\x1e"
    assert outcome.exit_code == 2


async def test_a_timeout_kills_everything_and_the_next_command_starts_clean(shells: Shells) -> None:
    session = shells.open()
    await shells.run(session, "X=1; cd /")
    command = f"echo begun; (setsid sh -c 'sleep 0.7; touch {shells.folder}/late' &) ; sleep 60"
    output, outcome = await shells.run(session, command, timeout=0.3)
    assert (output, outcome.cause, outcome.exit_code) == (b"begun\n", "timeout", None)
    assert "killed" in outcome.note
    output, outcome = await shells.run(session, "echo [$X]; pwd; sleep 0.8")
    assert output == b"[]\n/\n"
    assert not (shells.folder / "late").exists()


async def test_a_cancelled_command_dies_with_all_it_started(shells: Shells) -> None:
    session = shells.open()
    started = asyncio.Event()

    async def note(data: bytes) -> None:
        started.set()

    command = f"(sh -c 'trap \"\" TERM; sleep 0.7; touch {shells.folder}/late' &) ; echo go; sleep 60"
    running = asyncio.ensure_future(session.run(ShellRequest(command), note))
    await asyncio.wait_for(started.wait(), 60)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await shells.run(session, "sleep 0.9")
    assert not (shells.folder / "late").exists()


async def test_a_background_child_that_holds_the_pipe_does_not_delay_the_result(shells: Shells) -> None:
    session = shells.open()
    output, outcome = await shells.run(session, "sleep 60 & echo $!", timeout=30)
    assert outcome.cause == "exited"
    pid = int(output)
    os.kill(pid, 0)
    await session.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


async def test_commands_of_one_session_wait_for_each_other_and_sessions_do_not_mix(shells: Shells) -> None:
    one, two = shells.open(), shells.open()
    jobs = [
        shells.run(session, f"for i in 1 2 3; do echo {name}{number}; sleep 0.01; done")
        for number in range(5)
        for name, session in (("a", one), ("b", two))
    ]
    results = await asyncio.gather(*jobs)
    expected = [f"{name}{number}\n".encode() * 3 for number in range(5) for name in "ab"]
    assert [output for output, _ in results] == expected


async def test_a_command_of_any_length_arrives_whole(shells: Shells) -> None:
    session = shells.open()
    text = "x" * 200_000
    output, outcome = await shells.run(session, f"echo {text} | wc -c")
    assert (output.strip(), outcome.exit_code) == (b"200001", 0)


async def test_a_nul_is_refused(shells: Shells) -> None:
    output, outcome = await shells.run(shells.open(), "echo a\0b")
    assert (output, outcome.cause) == (b"", "refused")
    assert "NUL" in outcome.note


async def test_two_hundred_megabytes_stream_through(shells: Shells) -> None:
    size = 0

    async def count(data: bytes) -> None:
        nonlocal size
        size += len(data)

    await shells.open().run(ShellRequest("head -c 200000000 /dev/zero"), count)
    assert size == 200_000_000


async def test_a_directory_that_is_gone_is_left_for_the_first_one(shells: Shells) -> None:
    session = shells.open()
    gone = shells.folder / "gone"
    gone.mkdir()
    await shells.run(session, "cd gone; rmdir ../gone; exit 1")
    output, outcome = await shells.run(session, "pwd")
    assert (output.decode().strip(), outcome.cwd) == (str(shells.folder), shells.folder)


@pytest.mark.parametrize(("path", "found"), [(os.environ.get("PATH", ""), True), ("/nonexistent", True)])
def test_bash_is_found_on_path_or_in_the_usual_places(path: str, found: bool) -> None:
    assert (find_bash({"PATH": path}) is not None) is found
    assert PosixTier().unavailable({"PATH": path}) is None


async def test_a_request_may_bring_input_and_keep_errors_apart(shells: Shells) -> None:
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    session = shells.open()
    outcome = await session.run(ShellRequest("cat; echo err >&2", stdin=b"in\n", split=True), keep)
    assert (bytes(output), outcome.stderr) == (b"in\n", b"err\n")
    output.clear()
    outcome = await session.run(ShellRequest("cat; echo err >&2"), keep)
    assert (bytes(output), outcome.stderr) == (b"err\n", b"")
