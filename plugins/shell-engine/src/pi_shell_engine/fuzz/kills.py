"""Kills engines at random moments and looks for what must not be there: orphans, lost state, output of others."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pi_api.shell import ShellHost, ShellRequest, ShellState

from pi_shell_engine.interpreter import FixedInterpreter
from pi_shell_engine.session import EngineSession

COMMANDS = (
    "for ((i=0;i<200;i++)); do echo $TAG; done",
    "{python} -c 'import time; print(\"'$TAG'\", flush=True); time.sleep(600)'",
    "echo $TAG | cat | cat; {python} -c 'import time; time.sleep(600)' | cat",
    "export LOST=1; for i in 1 2 3; do {python} -c 'import time; time.sleep(0.01)'; echo $TAG; done",
    "X=$({python} -c 'import time; time.sleep(0.05)'); echo $TAG $X",
    "{python} -c 'import os, time; os.fork() or (os.setsid(), time.sleep(600)); time.sleep(600)'",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What went wrong; all empty when nothing did."""

    lost_state: tuple[str, ...]
    foreign_output: tuple[str, ...]
    orphans: tuple[int, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.lost_state or self.foreign_output or self.orphans)


async def kill_at_random(rounds: int, random: Random, folder: Path, python: str) -> Verdict:
    """Run a command, kill its engine or cancel it some moments later, and check; `rounds` times on one session."""
    state = ShellState(folder, {**os.environ, "MARK": f"pi-fuzz-{random.getrandbits(64):x}"})
    session = EngineSession(ShellHost(folder, state.env, "fuzz", state=state), FixedInterpreter(python))
    lost: list[str] = []
    foreign: list[str] = []
    try:
        for number in range(rounds):
            tag = f"tag{number}"
            output = await _one_round(session, random, tag, python)
            foreign += [line for line in output.split() if line.startswith("tag") and line != tag]
            kept = await _output(session, f"echo [$KEPT][$LOST]; export KEPT={number}")
            expected = f"[{number - 1 if number else ''}][]"
            if kept.strip() not in (expected, expected[:-1] + "1]"):
                lost.append(f"round {number}: {kept.strip()} instead of {expected}")
            await _output(session, "unset LOST")
    finally:
        await session.close()
    return Verdict(tuple(lost), tuple(foreign), tuple(_marked(state.env["MARK"])))


async def _one_round(session: EngineSession, random: Random, tag: str, python: str) -> str:
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    command = f"TAG={tag}; " + random.choice(COMMANDS).replace("{python}", f"'{python}'")
    running = asyncio.ensure_future(session.run(ShellRequest(command, 60.0), keep))
    await asyncio.sleep(random.choice((0.0, random.random() * 0.02, random.random() * 0.2)))
    engine = session.engine_pid
    if engine is None or random.random() < 0.5:
        running.cancel()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.kill(engine, getattr(signal, "SIGKILL", signal.SIGTERM))
    await asyncio.wait({running})
    return output.decode("utf-8", "replace")


async def _output(session: EngineSession, command: str) -> str:
    output = bytearray()

    async def keep(data: bytes) -> None:
        output.extend(data)

    outcome = await session.run(ShellRequest(command, 60.0), keep)
    if outcome.cause == "died":
        # The kill came when its command was over, and hit this one.
        output.clear()
        await session.run(ShellRequest(command, 60.0), keep)
    return output.decode("utf-8", "replace")


def _marked(mark: str) -> Iterable[int]:
    """Processes that carry the session's mark in their environment; none are known where there is no /proc."""
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                yield int(folder.name)
