"""Real calls of Windows: jobs, quoting, batch files, codes. Runs as a Windows program, under Wine too."""

from __future__ import annotations

import sys

import pytest

if sys.platform != "win32":
    pytest.skip("runs as a Windows program", allow_module_level=True)

import _winapi
import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

from pi_process import (
    Cause,
    CommandLineTooLong,
    ProgramNotExecutable,
    Spawn,
    UnsafeBatchCommand,
    capture,
    run,
    start,
)
from pi_process.windows.job import KILLED_EXIT_CODE, Job
from pi_process.windows.launch import launch

NASTY = [
    "",
    " ",
    "a b",
    'say "hi"',
    '"',
    '""',
    "\\",
    "\\\\",
    'a\\"b',
    "tail\\",
    "tail space\\",
    "tail space\\\\",
    "a&b|c<d>e",
    "^caret^",
    "!VAR!",
    "(x)",
    "a,b;c=d",
    "tab\there",
    "äöü€",
    "漢字",
    "😀",
    "'single'",
    "`tick`",
    "$x",
    "*?[a]",
    "--opt=va lue",
    '{"json": ["a b", 1]}',
    "C:\\Program Files\\x\\",
    "/PID",
]
PERCENT = ["100%", "%PATH%", "%%", "%1", "a%20b"]
SHOW = "import sys; print(ascii(sys.argv[1:]))"


async def test_arguments_of_a_program_arrive_unchanged(child: Callable[..., Spawn]) -> None:
    arguments = [*NASTY, *PERCENT, "line\nbreak"]
    done = await capture(child(SHOW, *arguments))
    assert done.stdout.decode().strip() == ascii(arguments)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    script = tmp_path / "show args.cmd"
    script.write_text(f'@"{sys.executable}" -I -S -c "{SHOW}" %*\n', newline="\r\n")
    return script


async def test_arguments_of_a_batch_file_arrive_unchanged(batch: Path) -> None:
    done = await capture(Spawn((str(batch), *NASTY)))
    assert done.stdout.decode().strip() == ascii(NASTY)


@pytest.mark.parametrize("argument", NASTY)
async def test_each_argument_of_a_batch_file_alone(batch: Path, argument: str) -> None:
    done = await capture(Spawn((str(batch), argument)))
    assert done.stdout.decode().strip() == ascii([argument])


@pytest.mark.parametrize("argument", [*PERCENT, "line\nbreak"])
async def test_a_batch_file_refuses_what_cannot_arrive_unchanged(batch: Path, argument: str) -> None:
    outcome = await run(Spawn((str(batch), argument)))
    assert (outcome.cause, type(outcome.failure)) == (Cause.LAUNCH_FAILED, UnsafeBatchCommand)


async def test_a_batch_argument_never_runs_as_a_command(batch: Path, tmp_path: Path) -> None:
    marker = tmp_path / "pwned"
    for argument in (f'" & echo x > "{marker}" & "', f"& echo x > {marker}", f'"^& echo x > {marker}'):
        await run(Spawn((str(batch), argument)))
    assert not marker.exists()


async def test_the_name_without_its_ending_finds_the_batch_file_not_the_script(tmp_path: Path) -> None:
    (tmp_path / "npm").write_text("#!/bin/sh\n")
    (tmp_path / "npm.cmd").write_text("@echo from cmd\n", newline="\r\n")
    environment = {**os.environ, "PATH": f"{tmp_path};{os.environ['PATH']}"}
    done = await capture(Spawn(("npm",), env=environment))
    assert done.stdout.split() == [b"from", b"cmd"]


async def test_the_exit_code_of_a_batch_file_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "fail.cmd").write_text("@exit /b 42\n", newline="\r\n")
    assert (await run(Spawn((str(tmp_path / "fail.cmd"),)))).exit_code == 42


@pytest.mark.parametrize("code", [0, 1, 255, 0x80000000, 0xC0000005, 0xFFFFFFFF])
async def test_exit_codes_are_unsigned(code: int, child: Callable[..., Spawn]) -> None:
    spawn = child(f"import ctypes; ctypes.windll.kernel32.ExitProcess(ctypes.c_uint({code}))")
    assert (await run(spawn)).exit_code == code


async def test_environment_names_in_two_spellings_reach_the_child_once() -> None:
    environment = {**os.environ, "Pi_Probe": "1", "PI_PROBE": "2"}
    done = await capture(Spawn(("cmd.exe", "/c", "set", "pi_probe"), env=environment))
    assert done.stdout.split() == [b"Pi_Probe=2"]


async def test_a_too_long_line_is_refused_before_the_start(child: Callable[..., Spawn]) -> None:
    fits = await run(child("pass", "x" * 32_000))
    assert fits.ok
    outcome = await run(child("pass", "x" * 33_000))
    assert type(outcome.failure) is CommandLineTooLong


async def test_a_script_without_interpreter_is_not_executable(tmp_path: Path) -> None:
    script = tmp_path / "tool.py"
    script.write_text("pass")
    outcome = await run(Spawn((str(script),)))
    assert type(outcome.failure) is ProgramNotExecutable


FAMILY = (
    "import os, subprocess, sys, time\n"
    "if len(sys.argv) > 1:\n"
    "    subprocess.Popen([sys.executable, '-I', '-S', '-c', sys.argv[1]], creationflags=int(sys.argv[2]), stdout=1)\n"
    "os.write(1, b'%d\\n' % os.getpid())\n"
    "time.sleep(600)\n"
)
DETACHED_PROCESS, NEW_GROUP, BREAKAWAY = 0x8, 0x200, 0x01000000


async def pids_of(process: object, count: int, deadline: float) -> list[int]:
    text = b""
    while text.count(b"\n") < count:
        chunk = await asyncio.wait_for(process.read(), deadline)  # type: ignore[attr-defined]
        assert chunk is not None, text
        text += chunk.data
    return [int(word) for word in text.split()]


@pytest.mark.parametrize("flags", [0, DETACHED_PROCESS, NEW_GROUP])
async def test_closing_the_job_takes_the_grandchildren(
    child: Callable[..., Spawn],
    is_alive: Callable[[int], bool],
    wait_for: Callable[[Callable[[], bool]], None],
    deadline: float,
    flags: int,
) -> None:
    async with await start(child(FAMILY, FAMILY, str(flags))) as process:
        pids = await pids_of(process, 2, deadline)
        assert all(map(is_alive, pids))
        assert set(pids) <= set(process.tree.members())
        process.tree.release()
        wait_for(lambda: not any(map(is_alive, pids)))


async def test_nobody_breaks_away_from_the_job(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child(FAMILY, FAMILY, str(BREAKAWAY))) as process:
        text = b"".join([chunk.data async for chunk in process])
        assert b"WinError 5" in text


async def test_terminating_the_job_gives_its_exit_code(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child(FAMILY)) as process:
        await pids_of(process, 1, deadline)
        process.tree.kill()
        assert await asyncio.wait_for(process.wait(), deadline) == KILLED_EXIT_CODE


async def test_the_child_is_in_its_job_before_it_runs(child: Callable[..., Spawn], deadline: float) -> None:
    launched = launch(child("import time; time.sleep(600)"))
    try:
        assert launched.job.members() == (launched.pid,)
    finally:
        launched.job.kill()
        launched.job.release()
        for handle in (launched.process, *launched.outputs.values()):
            _winapi.CloseHandle(handle)


async def test_what_a_child_starts_at_once_is_in_the_job_however_slow_the_host_is(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    assign = Job.assign

    def assign_late(job: Job, process: int) -> None:
        time.sleep(1)
        assign(job, process)

    monkeypatch.setattr(Job, "assign", assign_late)
    code = (
        "import os, subprocess, sys\n"
        "sleeping = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'])\n"
        "os.write(1, b'%d\\n' % sleeping.pid)\n"
    )
    done = await capture(child(code))
    assert not is_alive(int(done.stdout))


async def test_writing_nothing_is_no_end_of_output(child: Callable[..., Spawn]) -> None:
    code = (
        "import ctypes, msvcrt, os\n"
        "os.write(1, b'before')\n"
        "kernel32, written = ctypes.windll.kernel32, ctypes.c_ulong()\n"
        "kernel32.WriteFile(ctypes.c_void_p(msvcrt.get_osfhandle(1)), b'', 0, ctypes.byref(written), None)\n"
        "os.write(1, b'after')\n"
    )
    done = await capture(child(code))
    assert (done.stdout, done.outcome.pipe_held) == (b"beforeafter", False)


def test_an_empty_job_has_no_members_and_closes_twice() -> None:
    job = Job()
    assert (job.members(), job.kill()) == ((), ())
    job.release()
    job.release()
    assert job.members() == ()


async def test_a_job_of_many_members_is_listed_whole(child: Callable[..., Spawn], deadline: float) -> None:
    code = (
        "import subprocess, sys, time, os\n"
        "waiting = dict(stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "kept = [subprocess.Popen(['cmd.exe', '/c', 'pause'], **waiting) for _ in range(70)]\n"
        "os.write(1, b'%d\\n' % os.getpid())\n"
        "time.sleep(600)\n"
    )
    async with await start(child(code)) as process:
        await pids_of(process, 1, 4 * deadline)
        assert len(process.tree.members()) >= 71
        assert await process.kill_tree() == ()


async def test_the_selector_loop_serves_children_too(child: Callable[..., Spawn]) -> None:
    def in_another_loop() -> tuple[int | None, bytes]:
        loop = asyncio.SelectorEventLoop()
        try:
            done = loop.run_until_complete(capture(child("print('hi'); raise SystemExit(4)")))
        finally:
            loop.close()
        return done.outcome.exit_code, done.stdout.strip()

    assert await asyncio.to_thread(in_another_loop) == (4, b"hi")
