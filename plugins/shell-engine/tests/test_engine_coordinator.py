"""The host's side of the protocol, against engines that keep it and engines that break it."""

import asyncio
import sys
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from pi_shell_engine.coordinator import Coordinator, EngineRequest
from pi_shell_engine.failures import EngineFailure
from pi_shell_engine.framing import Answer

DEADLINE = 60.0
FAKES = tomllib.loads((Path(__file__).parent / "fake_engines.toml").read_text("utf-8"))
PROLOGUE = """
import json, os, sys
for line in sys.stdin.buffer:
    request = json.loads(line)
    id = request["id"]
    barrier = b"\\x1e" + id.encode() + b"\\x1e"
    out, control = (lambda data, fd=fd: os.write(fd, data) for fd in (1, 2))
    def answer(**changes):
        fields = {"id": id, "status": 0, "cwd": "/", "env": {}, "refusal": None, **changes}
        return json.dumps(fields).encode() + b"\\n"
    if request["command"] == "good":
        control(answer(status=5)); out(b"fine" + barrier)
        continue
"""


def fake(body: str) -> tuple[str, ...]:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    return (sys.executable, "-I", "-c", PROLOGUE + indented)


Launch = Callable[[str], Awaitable[Coordinator]]


@pytest.fixture
async def launch(tmp_path: Path) -> AsyncIterator[Launch]:
    running: list[Coordinator] = []

    async def start(body: str) -> Coordinator:
        running.append(await Coordinator.launch(fake(body), {}, str(tmp_path)))
        return running[-1]

    yield start
    for coordinator in running:
        await coordinator.close()


async def ask(coordinator: Coordinator, command: str = "x") -> tuple[Answer, bytes]:
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    async with asyncio.timeout(DEADLINE):
        answer = await coordinator.ask(EngineRequest(command, "/", {}), keep)
    return answer, bytes(output)


@pytest.mark.parametrize("name", FAKES)
async def test_a_broken_protocol_ends_the_call(name: str, launch: Launch) -> None:
    coordinator = await launch(FAKES[name]["body"])
    with pytest.raises(EngineFailure) as caught:
        await ask(coordinator)
    assert FAKES[name]["error"] in str(caught.value)


async def test_output_before_a_death_is_handed_over(launch: Launch) -> None:
    coordinator = await launch("out(b'before \\x1e' + barrier[1:9]); raise SystemExit(1)")
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    with pytest.raises(EngineFailure):
        await coordinator.ask(EngineRequest("x", "/", {}), keep)
    assert output.startswith(b"before \x1e")
    assert len(output) == len(b"before \x1e") + 8


@pytest.mark.parametrize("order", ["control(answer()); out(barrier)", "out(barrier); control(answer())"])
async def test_a_command_is_over_when_both_signals_have_come(order: str, launch: Launch) -> None:
    answer, output = await ask(await launch(f"out(b'text'); {order}"))
    assert (answer.status, output) == (0, b"text")


async def test_one_signal_is_not_enough(launch: Launch) -> None:
    coordinator = await launch("out(b'text' + barrier)\nimport time; time.sleep(600)")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await coordinator.ask(EngineRequest("x", "/", {}), ignore)


async def ignore(data: bytes) -> None:
    """Takes output and forgets it."""


async def test_a_barrier_in_pieces_and_look_alikes_are_told_apart(launch: Launch) -> None:
    body = """
fragments = [b"a\\x1e", b"b\\x1e\\x1e", barrier[:5], b"\\x1e", barrier[:-1], b"c", barrier[:9], barrier[9:]]
import time
for fragment in fragments:
    out(fragment)
    time.sleep(0.002)
control(answer())
"""
    coordinator = await launch(body)
    _, output = await ask(coordinator)
    pieces = output.split(b"\x1e")
    assert pieces[0] == b"a"
    assert output.startswith(b"a\x1eb\x1e\x1e\x1e")
    assert output.endswith(b"c")


async def test_late_bytes_belong_to_no_command(launch: Launch) -> None:
    coordinator = await launch("control(answer()); out(b'mine' + barrier + b'late')")
    _, output = await ask(coordinator)
    assert output == b"mine"
    async with asyncio.timeout(DEADLINE):
        _, output = await ask(coordinator, "good")
    assert output == b"fine"
    assert coordinator.take_late() == 4
    assert coordinator.take_late() == 0


async def test_an_answer_nobody_asked_for_ends_the_engine(launch: Launch) -> None:
    coordinator = await launch("control(answer()); out(barrier); import time; time.sleep(0.05); control(answer())")
    await ask(coordinator)
    async with asyncio.timeout(DEADLINE):
        while coordinator.running:
            await asyncio.sleep(0.005)


async def test_an_answer_of_many_megabytes_is_read(launch: Launch) -> None:
    coordinator = await launch("control(answer(env={'BIG': 'x' * (5 << 20)})); out(barrier)")
    answer, _ = await ask(coordinator)
    assert len(answer.env["BIG"] or "") == 5 << 20


async def test_what_reads_output_may_fail_and_ends_the_call(launch: Launch) -> None:
    coordinator = await launch("out(b'text'); control(answer()); out(barrier)")

    async def refuse(data: bytes) -> None:
        raise RuntimeError("full")

    with pytest.raises(RuntimeError, match="full"):
        await coordinator.ask(EngineRequest("x", "/", {}), refuse)
    assert not coordinator.running


async def test_a_slow_reader_slows_the_engine_down(launch: Launch) -> None:
    coordinator = await launch("""
for _ in range(64):
    out(b'x' * (1 << 20))
out(barrier); control(answer())
""")
    received = 0

    async def slowly(data: bytes) -> None:
        nonlocal received
        received += len(data)
        await asyncio.sleep(0)

    async with asyncio.timeout(DEADLINE):
        await coordinator.ask(EngineRequest("x", "/", {}), slowly)
    assert received == 64 << 20


async def test_a_dead_engine_is_known_to_be_dead(launch: Launch) -> None:
    coordinator = await launch("raise SystemExit(1)")
    with pytest.raises(EngineFailure):
        await ask(coordinator)
    assert not coordinator.running
