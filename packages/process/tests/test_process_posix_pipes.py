"""The loop's ends of a child's pipes on POSIX, on pipes of this process."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("Windows reads pipes in threads", allow_module_level=True)

import asyncio
import os

from pi_process.posix.pipes import PipeReader, PipeWriter


async def turns(count: int = 10) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


async def test_the_end_is_told_once_and_closes_the_descriptor() -> None:
    reading, writing = os.pipe()
    seen: list[bytes] = []
    PipeReader(reading, asyncio.get_running_loop(), seen.append, lambda: seen.append(b"end"))
    os.write(writing, b"x")
    await turns()
    assert seen == [b"x"]
    os.close(writing)
    await turns()
    assert seen == [b"x", b"end"]
    assert not is_open(reading)


async def test_a_paused_reader_sees_nothing_until_it_goes_on() -> None:
    reading, writing = os.pipe()
    seen: list[bytes] = []
    reader = PipeReader(reading, asyncio.get_running_loop(), seen.append, lambda: seen.append(b"end"))
    reader.pause()
    os.write(writing, b"x")
    await turns()
    assert seen == []
    reader.resume()
    await turns()
    assert seen == [b"x"]
    reader.close()
    reader.close()
    reader.resume()
    assert not is_open(reading)
    os.close(writing)


async def test_writes_longer_than_the_pipe_wait_their_turn_in_order() -> None:
    reading, writing = os.pipe()
    writer = PipeWriter(writing, asyncio.get_running_loop())
    first = asyncio.create_task(writer.write(b"a" * 100_000))
    second = asyncio.create_task(writer.write(b"b" * 100_000))
    await turns()
    assert not first.done()
    writer.end()
    received = b""
    while data := await asyncio.to_thread(os.read, reading, 1 << 20):
        received += data
    assert received == b"a" * 100_000 + b"b" * 100_000
    await asyncio.gather(first, second)
    assert not is_open(writing)
    os.close(reading)


async def test_waiting_writes_learn_that_the_reader_has_gone() -> None:
    reading, writing = os.pipe()
    writer = PipeWriter(writing, asyncio.get_running_loop())
    waiting = [asyncio.create_task(writer.write(b"x" * 100_000)) for _ in range(3)]
    await turns()
    os.close(reading)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(result) for result in results} == {BrokenPipeError}
    with pytest.raises(BrokenPipeError):
        await writer.write(b"x")
