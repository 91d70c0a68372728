"""`Process`: a long-lived child that is written to and read from."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pi_process import Chunk, Spawn, Stdin, StdinClosed, Stream, start
from pi_process.trees import live_trees

ECHO = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(b'got ' + line); sys.stdout.flush()"


async def read_line(process: object, deadline: float) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        chunk = await asyncio.wait_for(process.read(), deadline)  # type: ignore[attr-defined]
        assert chunk is not None, f"output ended after {data!r}"
        data += chunk.data
    return data


async def test_a_conversation_over_pipes(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child(ECHO, stdin=Stdin.PIPE)) as process:
        for word in (b"one\n", "zwei ä\n".encode(), b"three\n"):
            await process.write(word)
            assert await read_line(process, deadline) == b"got " + word
        process.close_stdin()
        assert await asyncio.wait_for(process.wait(), deadline) == 0
        assert await process.read() is None
        assert (process.running, process.exit_code) == (False, 0)


async def test_chunks_iterate_until_the_end(child: Callable[..., Spawn]) -> None:
    code = "import os; os.write(1, b'a'); os.write(2, b'b')"
    async with await start(child(code, merge_stderr=False)) as process:
        chunks = [chunk async for chunk in process]
    assert sorted(chunks) == [Chunk(Stream.STDERR, b"b"), Chunk(Stream.STDOUT, b"a")]


async def test_a_timed_out_read_loses_nothing(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child(ECHO, stdin=Stdin.PIPE)) as process:
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(process.read(), 0.01)
        await process.write(b"x\n")
        assert await read_line(process, deadline) == b"got x\n"


async def test_writing_to_a_child_that_is_gone_names_it(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child("pass", stdin=Stdin.PIPE)) as process:
        await asyncio.wait_for(process.wait(), deadline)
        with pytest.raises(StdinClosed, match="no longer reads"):
            # The first bytes may still fit into the pipe of a dead reader on some systems.
            for _ in range(3):
                await asyncio.wait_for(process.write(b"x" * 100_000), deadline)


@pytest.mark.parametrize("stdin", [Stdin.CLOSED, b"fixed"])
async def test_writing_needs_a_pipe(child: Callable[..., Spawn], stdin: Stdin | bytes, deadline: float) -> None:
    async with await start(child("import sys; sys.stdin.read()", stdin=stdin)) as process:
        with pytest.raises(StdinClosed):
            await asyncio.wait_for(process.write(b"x"), deadline)


async def test_closing_stdin_lets_queued_writes_through_first(child: Callable[..., Spawn], deadline: float) -> None:
    code = "import sys; sys.stdin.readline(); print(len(sys.stdin.read()))"
    async with await start(child(code, stdin=Stdin.PIPE)) as process:
        writing = asyncio.create_task(process.write(b"\n" + b"x" * 1_000_000))
        await asyncio.sleep(0)
        process.close_stdin()
        await asyncio.wait_for(writing, deadline)
        assert await read_line(process, deadline) in (b"1000000\n", b"1000000\r\n")


async def test_unread_output_holds_the_child_up_and_none_of_it_is_lost(
    child: Callable[..., Spawn], tmp_path: Path, deadline: float
) -> None:
    done = tmp_path / "done"
    size = 8_000_000
    code = f"import sys; sys.stdout.write('x' * {size}); sys.stdout.flush(); open(sys.argv[1], 'w').close()"
    async with await start(child(code, str(done))) as process:
        first = await asyncio.wait_for(process.read(), deadline)
        assert first is not None
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.wait(), 0.3)
        assert not done.exists(), "the child wrote more than is buffered without being read"
        total = len(first.data)
        async for chunk in process:
            total += len(chunk.data)
    assert total == size
    assert done.exists()


async def test_leaving_the_context_kills_what_runs(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    async with await start(child("import time; time.sleep(600)")) as process:
        pid = process.pid
        assert is_alive(pid)
        assert process.running
    assert not is_alive(pid)
    assert process.exit_code == 137
    assert await process.close() == ()


async def test_an_error_inside_the_context_kills_too(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    with pytest.raises(KeyError):
        async with await start(child("import time; time.sleep(600)")) as process:
            raise KeyError
    assert not is_alive(process.pid)


async def test_a_cancelled_close_releases_the_child_all_the_same(
    child: Callable[..., Spawn], is_alive: Callable[[int], bool]
) -> None:
    process = await start(child("import time; time.sleep(600)"))
    closing = asyncio.create_task(process.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert not is_alive(process.pid)
    assert process.tree not in live_trees.current()
    assert not process.running


async def test_wait_may_be_cancelled_and_repeated(child: Callable[..., Spawn], deadline: float) -> None:
    async with await start(child("import sys; sys.stdin.read(); sys.exit(7)", stdin=Stdin.PIPE)) as process:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.wait(), 0.01)
        process.close_stdin()
        assert await asyncio.wait_for(process.wait(), deadline) == 7
        assert await asyncio.wait_for(process.finished(), deadline) == 7


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are POSIX")
@pytest.mark.parametrize("new_group", [True, False])
async def test_a_new_group_is_a_session_of_its_own(
    child: Callable[..., Spawn], new_group: bool, deadline: float
) -> None:
    code = "import os, sys; print(os.getsid(0), flush=True); sys.stdin.read()"
    async with await start(child(code, stdin=Stdin.PIPE, new_group=new_group)) as process:
        session = int(await read_line(process, deadline))
        assert session == (process.pid if new_group else os.getsid(0))
