"""What outlives the direct child never holds a call up, and what it prints in time is not lost."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from pi_process import Cause, Chunk, Drain, Leftovers, Spawn, capture, kill_all, run, start
from pi_process.process import HIGH_WATER

PARENT = textwrap.dedent("""
    import subprocess, sys
    grandchild = subprocess.Popen([sys.executable, '-I', '-S', '-c', sys.argv[1]])
    print('parent', grandchild.pid, flush=True)
    sys.exit(5)
""")
SLEEPER = "import time; time.sleep(600)"


async def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_call(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool], deadline: float
) -> None:
    done = await asyncio.wait_for(capture(child(PARENT, SLEEPER)), deadline)
    assert (done.outcome.cause, done.outcome.exit_code, done.outcome.pipe_held) == (Cause.EXITED, 5, True)
    word, pid = done.stdout.split()
    assert word == b"parent"
    assert not is_alive(int(pid))


async def test_waiting_for_the_direct_child_does_not_wait_for_the_pipe(
    child: Callable[..., Spawn], deadline: float
) -> None:
    async with await start(child(PARENT, SLEEPER), drain=Drain(idle=600, cap=600)) as process:
        assert await asyncio.wait_for(process.wait(), deadline) == 5
        assert process.pipe_held is False


async def test_a_read_ends_with_the_drain(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child(PARENT, SLEEPER), drain=Drain(idle=0.05)) as process:
        text = b"".join([chunk.data async for chunk in process])
        assert text.startswith(b"parent")
        assert process.pipe_held is True


async def test_late_output_within_the_drain_is_read(child: Callable[..., Spawn]) -> None:
    late = "import time; time.sleep(0.2); print('late', flush=True)"
    output: list[bytes] = []
    spawn = child(PARENT, late)
    outcome = await run(spawn, drain=Drain(idle=20, cap=20), on_output=lambda chunk: output.append(chunk.data))
    assert b"late" in b"".join(output)
    assert outcome.pipe_held is False


async def test_an_endless_writer_is_cut_off_at_the_cap(child: Callable[..., Spawn], deadline: float) -> None:
    endless = "import os, sys\nwhile True: os.write(1, b'more and more ' * 100)"
    first: list[Chunk] = []
    call = run(
        child(PARENT, endless),
        drain=Drain(idle=600, cap=0.3),
        on_output=lambda chunk: first.append(chunk) if not first else None,
    )
    outcome = await asyncio.wait_for(call, deadline)
    assert (outcome.cause, outcome.exit_code, outcome.pipe_held) == (Cause.EXITED, 5, True)


async def test_a_slow_reader_still_gets_everything(child: Callable[..., Spawn], deadline: float) -> None:
    # As much as is buffered, and a rest that stays in the pipe after the child has ended.
    size = HIGH_WATER + 60_000
    async with await start(child(f"import sys; sys.stdout.write('x' * {size})"), drain=Drain(idle=0.05)) as process:
        assert await asyncio.wait_for(process.wait(), deadline) == 0
        await asyncio.sleep(0.2)
        total = sum([len(chunk.data) async for chunk in process])
    assert total == size
    assert process.pipe_held is False


async def test_leftovers_may_be_kept_until_the_host_ends(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    output: list[bytes] = []
    outcome = await run(
        child(PARENT, SLEEPER),
        drain=Drain(idle=0.05),
        leftovers=Leftovers.KEEP,
        on_output=lambda chunk: output.append(chunk.data),
    )
    pid = int(b"".join(output).split()[1])
    assert (outcome.exit_code, outcome.survivors) == (5, ())
    assert is_alive(pid)
    assert (await run(child("pass"))).ok
    assert is_alive(pid), "another run took it away"
    assert kill_all() == ()
    assert not is_alive(pid)


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("sleep 600 & printf 'hi\\n'", b"hi\n"),
        ("(exec >/dev/null 2>&1; sleep 600) & printf 'hi\\n'", b"hi\n"),
        ("nohup sleep 600 >/dev/null 2>&1 & echo started", b"started\n"),
        ("printf one; (sleep 0.1; printf two) &", b"onetwo"),
        ("cat", b""),
        ('read answer; echo "<$answer>"', b"<>\n"),
    ],
)
async def test_shell_lines_that_have_hung_other_hosts(script: str, output: bytes, deadline: float) -> None:
    done = await asyncio.wait_for(capture(Spawn(("sh", "-c", script))), deadline)
    assert (done.outcome.exit_code, done.stdout) == (0, output)


async def test_a_survivor_does_nothing_after_the_stop(child: Callable[..., Spawn], tmp_path: Path) -> None:
    touched, armed = tmp_path / "touched", tmp_path / "armed"
    grandchild = f"import time; open({str(armed)!r}, 'w').close(); time.sleep(1); open({str(touched)!r}, 'w').close()"
    code = f"{PARENT.replace('sys.exit(5)', 'import time; time.sleep(600)')}"
    cancel = asyncio.Event()

    async def cancel_when_armed() -> None:
        while not armed.exists():
            await asyncio.sleep(0.01)
        cancel.set()

    arming = asyncio.create_task(cancel_when_armed())
    outcome = await run(child(code, grandchild), cancel=cancel)
    await arming
    assert outcome.cause is Cause.CANCELLED
    await asyncio.sleep(1.2)
    assert not touched.exists()
