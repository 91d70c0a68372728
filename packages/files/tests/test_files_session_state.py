"""What sessions remember, and how calls that touch one file keep out of each other's way."""

import asyncio
import threading
from pathlib import PurePath

import pytest
from pi_files import ReadLedger, file_lock, in_thread
from pi_files.threads import Stopped, StopSignal

DEADLINE = 30.0


def test_a_ledger_knows_the_last_content_it_was_told() -> None:
    ledger, path = ReadLedger(), PurePath("/x")
    assert not ledger.knows(path) and not ledger.is_current(path, b"")
    ledger.record(path, b"one")
    ledger.record(path, b"two")
    assert ledger.knows(path)
    assert (ledger.is_current(path, b"one"), ledger.is_current(path, b"two")) == (False, True)
    assert not ledger.is_current(PurePath("/y"), b"two")


async def test_calls_for_one_file_take_turns_in_the_order_of_asking() -> None:
    order: list[int] = []
    free = asyncio.Event()

    async def call(number: int) -> None:
        async with file_lock(PurePath("/x")):
            if number == 0:
                await free.wait()
            order.append(number)

    calls = [asyncio.ensure_future(call(number)) for number in range(5)]
    await asyncio.sleep(0)
    assert order == []
    free.set()
    await asyncio.wait_for(asyncio.gather(*calls), DEADLINE)
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("path", "system"), [("/y", "local"), ("/x", "ssh:box")])
async def test_other_files_and_other_machines_do_not_wait(path: str, system: str) -> None:
    async with file_lock(PurePath("/x")), asyncio.timeout(DEADLINE), file_lock(PurePath(path), system):
        pass


async def test_a_cancelled_call_gives_its_turn_away() -> None:
    async with file_lock(PurePath("/x")):
        waiting = asyncio.ensure_future(asyncio.wait_for(_hold(), DEADLINE))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
    await asyncio.wait_for(_hold(), DEADLINE)


async def _hold() -> None:
    async with file_lock(PurePath("/x")):
        pass


async def test_work_in_a_thread_answers_and_raises() -> None:
    assert await in_thread(lambda stop: 42) == 42
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda stop: 1 // 0)


async def test_cancelled_work_is_told_to_stop_and_waited_for() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(stop: StopSignal) -> None:
        begun.set()
        try:
            while True:
                stop.check()
                ended.wait(0.001)
        except Stopped:
            ended.set()
            raise

    call = asyncio.ensure_future(in_thread(work))
    await asyncio.to_thread(begun.wait, DEADLINE)
    call.cancel()
    await asyncio.wait([call], timeout=DEADLINE)
    assert call.cancelled() and ended.is_set()


async def test_a_write_that_has_begun_is_finished_before_its_call_ends() -> None:
    begun, may_end = threading.Event(), threading.Event()
    done: list[str] = []

    def work(stop: StopSignal) -> None:
        begun.set()
        may_end.wait(DEADLINE)
        done.append("written")

    call = asyncio.ensure_future(in_thread(work))
    await asyncio.to_thread(begun.wait, DEADLINE)
    call.cancel()
    await asyncio.sleep(0)
    assert not call.done()
    may_end.set()
    await asyncio.wait([call], timeout=DEADLINE)
    assert done == ["written"]
