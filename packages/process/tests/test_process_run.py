"""`run`: how a call ends, told from facts."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from pi_process import Cause, Chunk, Outcome, Spawn, Stream, capture, run

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")

SLEEP = "import time; print('ready', flush=True); time.sleep(600)"


@pytest.mark.parametrize("code", [0, 1, 3, 126, 127, 255])
async def test_exit_code_is_the_childs_own(child: Callable[..., Spawn], code: int) -> None:
    outcome = await run(child(f"raise SystemExit({code})"))
    assert (outcome.cause, outcome.started, outcome.exit_code) == (Cause.EXITED, True, code)
    assert outcome.ok is (code == 0)
    assert outcome.pid
    assert outcome.duration > 0


@pytest.mark.parametrize("text", ["not run", "command timed out", "cancelled", "cannot start: No such file"])
async def test_output_never_decides_the_cause(child: Callable[..., Spawn], text: str) -> None:
    done = await capture(child(f"print({text!r}); raise SystemExit(126)"))
    assert (done.outcome.cause, done.outcome.exit_code) == (Cause.EXITED, 126)
    assert text.encode() in done.stdout


@posix_only
@pytest.mark.parametrize(("name", "number"), [("SIGKILL", 9), ("SIGTERM", 15), ("SIGSEGV", 11)])
async def test_death_by_signal_is_reported_as_128_and_its_number(
    child: Callable[..., Spawn], name: str, number: int
) -> None:
    outcome = await run(child(f"import os, signal; os.kill(os.getpid(), signal.{name})"))
    assert (outcome.cause, outcome.exit_code) == (Cause.EXITED, 128 + number)


async def test_timeout_is_the_cause_and_the_output_until_then_is_there(child: Callable[..., Spawn]) -> None:
    done = await capture(child(SLEEP), timeout=2)
    assert done.outcome.cause is Cause.TIMEOUT
    assert done.outcome.started
    assert done.outcome.exit_code == 137
    assert done.stdout.split() == [b"ready"]


async def test_timeout_of_zero_stops_at_once(child: Callable[..., Spawn]) -> None:
    assert (await run(child(SLEEP), timeout=0)).cause is Cause.TIMEOUT


async def test_negative_timeout_is_refused(child: Callable[..., Spawn]) -> None:
    with pytest.raises(ValueError, match="timeout"):
        await run(child(SLEEP), timeout=-1)


@posix_only
async def test_exit_zero_after_the_stop_does_not_undo_the_cause(child: Callable[..., Spawn], deadline: float) -> None:
    cancel = asyncio.Event()
    obeys = "import signal, sys; signal.signal(15, lambda *_: sys.exit(0)); print('ready', flush=True); signal.pause()"
    outcome = await run(child(obeys), cancel=cancel, grace=deadline, on_output=lambda chunk: cancel.set())
    assert (outcome.cause, outcome.exit_code) == (Cause.CANCELLED, 0)
    assert not outcome.ok


async def test_cancel_event_stops_the_run(child: Callable[..., Spawn]) -> None:
    cancel = asyncio.Event()
    outcome = await run(child(SLEEP), cancel=cancel, on_output=lambda chunk: cancel.set())
    assert (outcome.cause, outcome.exit_code) == (Cause.CANCELLED, 137)


async def test_cancelled_before_the_start_means_never_started(child: Callable[..., Spawn]) -> None:
    cancel = asyncio.Event()
    cancel.set()
    outcome = await run(child(SLEEP), cancel=cancel)
    assert outcome == Outcome(Cause.CANCELLED, started=False)
    assert outcome.exit_code is None


async def test_a_cancel_that_comes_after_the_exit_changes_nothing(child: Callable[..., Spawn]) -> None:
    cancel = asyncio.Event()
    outcome = await run(child("raise SystemExit(4)"), cancel=cancel)
    cancel.set()
    assert (outcome.cause, outcome.exit_code) == (Cause.EXITED, 4)


async def test_cancelling_the_task_kills_the_child(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    started: asyncio.Queue[int] = asyncio.Queue()
    code = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    task = asyncio.create_task(run(child(code), on_output=lambda chunk: started.put_nowait(int(chunk.data.split()[0]))))
    pid = await asyncio.wait_for(started.get(), deadline)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_alive(pid)


async def test_an_error_of_the_sink_ends_the_run_and_the_child(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    pids = []

    def sink(chunk: Chunk) -> None:
        pids.append(int(chunk.data.split()[0]))
        raise KeyError("sink")

    with pytest.raises(KeyError, match="sink"):
        await run(child("import os, time; print(os.getpid(), flush=True); time.sleep(600)"), on_output=sink)
    assert not is_alive(pids[0])


WRITE_BOTH = "import os; os.write(1, b'out1 '); os.write(2, b'err '); os.write(1, b'out2')"


async def test_merged_streams_keep_their_order(child: Callable[..., Spawn]) -> None:
    done = await capture(child(WRITE_BOTH))
    assert (done.stdout, done.stderr) == (b"out1 err out2", b"")


async def test_separate_streams_stay_apart(child: Callable[..., Spawn]) -> None:
    done = await capture(child(WRITE_BOTH, merge_stderr=False))
    assert (done.stdout, done.stderr) == (b"out1 out2", b"err ")


async def test_output_arrives_while_the_child_runs(child: Callable[..., Spawn]) -> None:
    seen: list[Chunk] = []
    cancel = asyncio.Event()

    def sink(chunk: Chunk) -> None:
        seen.append(chunk)
        cancel.set()

    await run(child(SLEEP), on_output=sink, cancel=cancel)
    assert seen[0].stream is Stream.STDOUT
    assert seen[0].data.startswith(b"ready")


async def test_closed_stdin_is_at_its_end_at_once(child: Callable[..., Spawn]) -> None:
    done = await capture(child("import sys; print(repr(sys.stdin.read()))"))
    assert done.stdout.split() == [b"''"]


def test_a_host_whose_own_stdin_stays_open_does_not_pass_it_on(deadline: float) -> None:
    host = (
        "import asyncio, sys\n"
        "from pi_process import Spawn, capture\n"
        "spawn = Spawn((sys.executable, '-I', '-S', '-c', 'import sys; print(repr(sys.stdin.read()))'))\n"
        "print(asyncio.run(capture(spawn)).stdout.decode())\n"
    )
    with subprocess.Popen([sys.executable, "-c", host], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as silent:
        assert silent.wait(deadline) == 0
        assert silent.stdout is not None
        assert silent.stdout.read().split() == [b"''"]


@pytest.mark.parametrize("size", [0, 1, 65_536, 3_000_000])
async def test_stdin_bytes_arrive_whole_and_end(child: Callable[..., Spawn], size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    data = data[:size]
    code = "import sys, hashlib; d = sys.stdin.buffer.read(); print(len(d), hashlib.sha256(d).hexdigest())"
    done = await capture(child(code, stdin=data))
    assert done.stdout.decode().split() == [str(size), hashlib.sha256(data).hexdigest()]


async def test_a_child_that_ignores_its_stdin_is_no_error(child: Callable[..., Spawn]) -> None:
    outcome = await run(child("raise SystemExit(5)", stdin=b"x" * 3_000_000))
    assert (outcome.cause, outcome.exit_code) == (Cause.EXITED, 5)


async def test_two_hundred_megabytes_pass_through(child: Callable[..., Spawn]) -> None:
    total = 0

    def count(chunk: Chunk) -> None:
        nonlocal total
        total += len(chunk.data)

    outcome = await run(child("import sys\nfor _ in range(200): sys.stdout.write('x' * 1_000_000)"), on_output=count)
    assert outcome.ok
    assert total == 200_000_000


async def test_output_nobody_wants_does_not_block_the_child(child: Callable[..., Spawn]) -> None:
    assert (await run(child("import sys; sys.stdout.write('x' * 5_000_000)"))).ok


async def test_capture_keeps_the_beginning_up_to_its_limit(child: Callable[..., Spawn]) -> None:
    done = await capture(child("import sys; sys.stdout.write('abc' * 100_000)"), limit=10)
    assert (done.stdout, done.truncated) == (b"abcabcabca", True)
    assert not (await capture(child("print(end='abc')"), limit=3)).truncated


async def test_environment_and_directory_are_the_given_ones(child: Callable[..., Spawn], tmp_path: object) -> None:
    import os

    env = {**os.environ, "PI_PROBE": "ä € 漢"}
    code = "import os; print(ascii(os.environ['PI_PROBE'])); print(os.path.samefile(os.getcwd(), os.sys.argv[1]))"
    done = await capture(child(code, str(tmp_path), env=env, cwd=tmp_path))
    assert done.stdout.decode().split("\n")[0].strip() == ascii(env["PI_PROBE"])
    assert b"True" in done.stdout


async def test_the_loop_stays_responsive_during_a_run(child: Callable[..., Spawn]) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    began = time.monotonic()
    await run(child("import time; time.sleep(0.5)"))
    ticking.cancel()
    assert ticks >= 5, f"{ticks} ticks in {time.monotonic() - began:.1f} s"
