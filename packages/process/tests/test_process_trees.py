"""Stopping means the whole tree, and only that tree: on every system."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from pi_process import Cause, Drain, Outcome, Process, Spawn, kill_all, kill_all_on_signals, run, start

# Prints its pid and starts itself again, `depth` levels deep with `width` children each; the leaves say they are there.
FAMILY = textwrap.dedent("""
    import os, subprocess, sys, time
    code, depth, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.write(1, b'%d\\n' % os.getpid())
    for _ in range(width if depth else 0):
        subprocess.Popen([sys.executable, '-I', '-S', '-c', code, code, str(depth - 1), str(width)])
    time.sleep(600)
""")


LEAVES_ORPHAN = textwrap.dedent("""
    import subprocess, sys
    subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'])
    sys.exit(int(sys.argv[1]))
""")


async def read_pids(process: Process, count: int, deadline: float) -> list[int]:
    text = b""
    while text.count(b"\n") < count:
        chunk = await asyncio.wait_for(process.read(), deadline)
        assert chunk is not None, f"ended after {text!r}"
        text += chunk.data
    return [int(word) for word in text.split()]


@contextlib.asynccontextmanager
async def family(
    child: Callable[..., Spawn], deadline: float, depth: int = 2, width: int = 1
) -> AsyncIterator[tuple[Process, list[int]]]:
    async with await start(child(FAMILY, FAMILY, str(depth), str(width))) as process:
        count = sum(width**level for level in range(depth + 1))
        yield process, await read_pids(process, count, deadline)


@pytest.mark.parametrize(("depth", "width"), [(1, 1), (3, 1), (2, 3), (1, 12)])
async def test_every_generation_dies(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float, depth: int, width: int
) -> None:
    async with family(child, deadline, depth, width) as (process, pids):
        assert all(map(is_alive, pids))
        assert set(pids) <= set(process.tree.members())
        assert await process.kill_tree() == ()
        assert not any(map(is_alive, pids))
        assert process.tree.members() == ()
        assert await asyncio.wait_for(process.wait(), deadline) == 137


async def test_a_timeout_takes_the_grandchildren(child: Callable[..., Spawn], is_alive: Callable[[int], bool]) -> None:
    output = bytearray()
    outcome = await run(child(FAMILY, FAMILY, "2", "1"), timeout=2, on_output=lambda chunk: output.extend(chunk.data))
    assert outcome.cause is Cause.TIMEOUT
    assert outcome.survivors == ()
    assert not any(map(is_alive, map(int, output.split())))


async def test_two_trees_never_kill_each_other(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    async with family(child, deadline) as (first, first_pids), family(child, deadline) as (second, second_pids):
        assert not set(first_pids) & set(second_pids)
        assert not set(first.tree.members()) & set(second.tree.members())
        await first.kill_tree()
        assert not any(map(is_alive, first_pids))
        assert all(map(is_alive, second_pids))
        await second.kill_tree()
        assert not any(map(is_alive, second_pids))


def test_threads_with_loops_of_their_own_do_not_mix(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    def rounds(number: int) -> list[Outcome]:
        return [asyncio.run(run(child(LEAVES_ORPHAN, str(number)), drain=Drain(idle=0.01))) for _ in range(4)]

    with ThreadPoolExecutor(4) as pool:
        outcomes = [outcome for outcomes in pool.map(rounds, range(4)) for outcome in outcomes]
    assert [outcome.exit_code for outcome in outcomes] == [number for number in range(4) for _ in range(4)]
    assert all(outcome.survivors == () for outcome in outcomes)


async def test_killing_a_dead_tree_is_nothing(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child("pass")) as process:
        await asyncio.wait_for(process.wait(), deadline)
        assert await process.kill_tree() == ()
        assert await process.kill_tree(grace=600) == ()
        assert process.exit_code == 0


async def test_overlapping_kills_agree(child: Callable[..., Spawn], deadline: float) -> None:
    async with family(child, deadline) as (process, _):
        assert await asyncio.gather(*(process.kill_tree() for _ in range(4))) == [()] * 4


async def test_kill_all_takes_every_live_tree(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    async with family(child, deadline) as (first, first_pids), family(child, deadline) as (second, second_pids):
        assert kill_all() == ()
        assert not any(map(is_alive, first_pids + second_pids))
        assert await asyncio.wait_for(first.wait(), deadline) == 137
        assert await asyncio.wait_for(second.wait(), deadline) == 137


# A host program that starts a family, prints its pids and then ends in the way its argument says.
HOST = textwrap.dedent("""
    import asyncio, os, signal, sys
    from pi_process import Spawn, kill_all_on_signals, start
    ending, family = sys.argv[1:]
    async def main():
        process = await start(Spawn((sys.executable, '-I', '-S', '-c', family, family, '1', '1')))
        text = b''
        while text.count(b'\\n') < 2:
            text += (await process.read()).data
        sys.stdout.write(text.decode().replace('\\n', ' ') + '\\n')
        sys.stdout.flush()
        if ending == 'exit':
            sys.exit(3)
        if ending == 'error':
            raise SystemError('on purpose')
        if ending == 'abrupt':
            os._exit(3)
        if ending == 'wait':
            kill_all_on_signals()
            print('ready', flush=True)
            await asyncio.sleep(600)
    asyncio.run(main())
""")


def host(ending: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOST, ending, FAMILY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize(("ending", "code"), [("return", 0), ("exit", 3), ("error", 1)])
def test_the_hosts_exit_kills_its_trees(
    ending: str, code: int, is_alive: Callable[[int], bool], deadline: float
) -> None:
    with host(ending) as ended:
        output, _ = ended.communicate(timeout=deadline)
    assert ended.returncode == code
    assert len(output.split()) == 2
    assert not any(map(is_alive, map(int, output.split())))


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows ends children with a host that had no chance to act")
def test_an_abrupt_end_of_the_host_kills_its_trees(
    is_alive: Callable[[int], bool], wait_for: Callable[[Callable[[], bool]], None], deadline: float
) -> None:
    with host("abrupt") as ended:
        output, _ = ended.communicate(timeout=deadline)
    pids = [int(word) for word in output.split()]
    assert len(pids) == 2
    wait_for(lambda: not any(map(is_alive, pids)))


@pytest.mark.skipif(sys.platform == "win32", reason="signals between processes are POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_installed_signals_kill_the_trees_and_then_the_host(
    name: str, is_alive: Callable[[int], bool], deadline: float
) -> None:
    import signal

    with host("wait") as waiting:
        assert waiting.stdout is not None
        pids = [int(word) for word in waiting.stdout.readline().split()]
        assert waiting.stdout.readline() == "ready\n"
        waiting.send_signal(getattr(signal, name))
        assert waiting.wait(deadline) == -getattr(signal, name)
    assert len(pids) == 2
    assert not any(map(is_alive, pids))


@pytest.mark.skipif(sys.platform == "win32", reason="SIGHUP is POSIX")
def test_a_signal_the_host_ignores_stays_ignored() -> None:
    import signal

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        kill_all_on_signals(("SIGHUP", "SIGNOSUCH"))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(sys.platform == "win32", reason="fork is POSIX")
async def test_a_forked_copy_of_the_host_owns_no_trees(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    async with family(child, deadline) as (_, pids):
        copy = os.fork()
        if not copy:
            kill_all()
            os._exit(0)
        assert os.waitpid(copy, 0)[1] == 0
        assert all(map(is_alive, pids))
