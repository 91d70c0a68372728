"""Runs random programs on one session and asks after each whether it still answers."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from pi_api.shell import ShellHost, ShellRequest

from pi_shell_engine.fuzz.programs import Programs
from pi_shell_engine.interpreter import FixedInterpreter
from pi_shell_engine.session import EngineSession

LIMIT = 20.0
"""Seconds; the programs end by themselves, but `cat a >> a` is theirs to write."""


async def run_programs(count: int, random: Random, folder: Path, python: str) -> list[str]:
    """Run `count` programs; give those after which `echo ok` was not answered, or that ended in a fault."""
    host = ShellHost(folder, {"PATH": os.environ.get("PATH", ""), "HOME": str(folder)}, "fuzz")
    session = EngineSession(host, FixedInterpreter(python))
    wedged: list[str] = []
    try:
        for _ in range(count):
            program = Programs(random).program()
            output, cause = await _run(session, program)
            answer, _ = await _run(session, f"cd '{folder.as_posix()}'; echo ok; unset IFS X Y Z")
            if answer != b"ok\n" or cause not in ("exited", "refused") or b"pi: fault" in output:
                wedged.append(f"{cause} {answer!r} {output[-200:]!r}: {program!r}")
    finally:
        await session.close()
    return wedged


async def _run(session: EngineSession, command: str) -> tuple[bytes, str]:
    output = bytearray()

    async def keep(data: bytes) -> None:
        if len(output) < 1 << 20:
            output.extend(data)

    outcome = await session.run(ShellRequest(command, LIMIT), keep)
    return bytes(output), outcome.cause
