"""Many runs, one after another and at once, leave nothing: no process, no zombie, no descriptor, no thread."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from pi_process import Cause, Drain, Leftovers, Spawn, Stdin, capture, kill_all, run, start
from pi_process.trees import live_trees

SEQUENTIAL = 20 if sys.platform == "win32" else 100
QUICK = ("cmd.exe", "/c", "echo", "hi") if sys.platform == "win32" else ("sh", "-c", "echo hi; sleep 600 & exit 0")
DRAIN = Drain(idle=0.01)


def open_handles() -> int:
    if sys.platform == "win32":
        import ctypes

        count = ctypes.c_ulong()
        ctypes.windll.kernel32.GetProcessHandleCount(ctypes.c_void_p(-1), ctypes.byref(count))
        return count.value
    return len(os.listdir("/dev/fd"))


def own_children() -> list[str]:
    """Living and dead."""
    listing = Path(f"/proc/self/task/{os.getpid()}/children")
    return listing.read_text().split() if listing.exists() else []


class Footprint:
    """What this process holds in the system."""

    def __init__(self) -> None:
        gc.collect()
        self.handles = open_handles()
        self.children = own_children()
        self.threads = {thread for thread in threading.enumerate() if thread.is_alive()}
        self.trees = len(live_trees.current())

    def assert_unchanged(self, wait_for: Callable[[Callable[[], bool]], None], slack: int) -> None:
        # Windows' serving threads end and give their handles back a moment after the call.
        wait_for(lambda: {thread for thread in threading.enumerate() if thread.is_alive()} <= self.threads)
        wait_for(lambda: gc.collect() >= 0 and open_handles() <= self.handles + slack)
        assert own_children() == self.children
        assert len(live_trees.current()) == self.trees


# Wine's own bookkeeping adds a few handles to a process; a leak would add at least one for every run.
SLACK = 8 if sys.platform == "win32" else 0


async def test_sequential_runs_leave_nothing(wait_for: Callable[[Callable[[], bool]], None]) -> None:
    await run(Spawn(QUICK), drain=DRAIN)
    before = Footprint()
    for number in range(SEQUENTIAL):
        outcome = await run(Spawn(QUICK, merge_stderr=number % 2 == 0, stdin=b"x" * number), drain=DRAIN)
        assert (outcome.cause, outcome.exit_code) == (Cause.EXITED, 0)
    before.assert_unchanged(wait_for, SLACK)


async def test_concurrent_runs_leave_nothing_and_do_not_mix(
    child: Callable[..., Spawn], wait_for: Callable[[Callable[[], bool]], None]
) -> None:
    await run(Spawn(QUICK), drain=DRAIN)
    before = Footprint()
    code = "import sys; sys.stdout.write(sys.argv[1] * 100_000); raise SystemExit(int(sys.argv[1]))"
    done = await asyncio.gather(*(capture(child(code, str(number))) for number in range(20)))
    for number, captured in enumerate(done):
        assert (captured.outcome.exit_code, captured.outcome.pipe_held) == (number, False)
        assert captured.stdout == str(number).encode() * 100_000
    before.assert_unchanged(wait_for, SLACK)


async def test_stopped_runs_leave_nothing(
    child: Callable[..., Spawn], wait_for: Callable[[Callable[[], bool]], None]
) -> None:
    await run(Spawn(QUICK), drain=DRAIN)
    before = Footprint()
    sleeping = child("import time; time.sleep(600)", stdin=Stdin.PIPE, merge_stderr=False)
    outcomes = await asyncio.gather(*(run(sleeping, timeout=0.01 * number) for number in range(8)))
    assert {outcome.cause for outcome in outcomes} == {Cause.TIMEOUT}
    tasks = [asyncio.create_task(run(sleeping)) for _ in range(8)]
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    assert all(
        isinstance(result, asyncio.CancelledError) for result in await asyncio.gather(*tasks, return_exceptions=True)
    )
    before.assert_unchanged(wait_for, SLACK)


async def test_a_kept_process_that_holds_the_pipe_holds_nothing_here(
    child: Callable[..., Spawn], wait_for: Callable[[Callable[[], bool]], None]
) -> None:
    await run(Spawn(QUICK), drain=DRAIN)
    threads = set(threading.enumerate())
    code = (
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'])\n"
    )
    outcome = await run(child(code), drain=DRAIN, leftovers=Leftovers.KEEP)
    assert (outcome.exit_code, outcome.pipe_held) == (0, True)
    wait_for(lambda: set(threading.enumerate()) <= threads)
    assert kill_all() == ()


async def test_an_abandoned_reader_leaves_nothing(
    child: Callable[..., Spawn], wait_for: Callable[[Callable[[], bool]], None]
) -> None:
    await run(Spawn(QUICK), drain=DRAIN)
    before = Footprint()
    async with await start(child("import sys; sys.stdout.write('x' * 9_000_000)", stdin=Stdin.PIPE)) as process:
        assert await process.read()
    del process
    before.assert_unchanged(wait_for, SLACK)
