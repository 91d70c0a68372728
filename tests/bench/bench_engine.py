"""The shell engine, warm: one command through a session, beside a fresh `bash -c` and beside a bash kept warm."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pi_api.shell import ShellHost, ShellRequest
from pi_shell_engine.launch import engine_argv, engine_environment
from pi_shell_engine.tier import EngineTier

from tests.bench.frame import Contender, measure

COMMANDS = {
    "true": "true",
    "echo": "echo hi",
    "three builtins piped": "echo hi | cat | wc -l",
    "substitution": "echo $(echo inner)",
    "loop of 100 echo": "for ((i=0; i<100; i++)); do echo $i; done",
    "one program": "/usr/bin/env true",
    "two programs piped": "/usr/bin/env true | /usr/bin/env cat",
}
SAMPLES = 20
"""Samples a round."""
END = b"\x1e"


def tables(rounds: int) -> Iterator[str]:
    """Latency in wall time, medians and 95th percentiles; then the CPU time of a start with a first command."""
    yield asyncio.run(_latency(max(50, rounds * SAMPLES)))
    yield _cold(rounds)


async def _latency(samples: int) -> str:
    lines = [
        "### shell engine",
        "",
        "| | ms | p95 | `bash -c` ms | × | warm bash ms | × |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    with tempfile.TemporaryDirectory() as folder, _warm_bash(folder) as bash:
        session = EngineTier().open(ShellHost(Path(folder), dict(os.environ), "bench"))
        for name, command in COMMANDS.items():
            ours = [await _engine(session.run, command) for _ in range(samples)][samples // 10 :]
            fresh = sorted(_fresh_bash(command, folder) for _ in range(samples // 4))
            warm = sorted(_ask(bash, command) for _ in range(samples))
            figures = (_middle(sorted(ours)), _middle(fresh), _middle(warm))
            late = sorted(ours)[int(len(ours) * 0.95)]
            ratios = (figures[0] / figures[1], figures[0] / figures[2])
            lines.append(
                f"| {name} | {figures[0]:.2f} | {late:.2f} | {figures[1]:.2f} | {ratios[0]:.2f} | {figures[2]:.2f} "
                f"| {ratios[1]:.2f} |"
            )
        await session.close()
    return "\n".join(lines) + "\n"


async def _engine(run: Callable[..., object], command: str) -> float:
    async def ignore(data: bytes) -> None:
        """Takes output and forgets it."""

    before = time.perf_counter()
    await run(ShellRequest(command), ignore)  # type: ignore[misc]
    return (time.perf_counter() - before) * 1e3


def _middle(found: list[float]) -> float:
    return found[len(found) // 2]


def _fresh_bash(command: str, folder: str) -> float:
    before = time.perf_counter()
    subprocess.run(["/bin/bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, check=True)
    return (time.perf_counter() - before) * 1e3


def _warm_bash(folder: str) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return subprocess.Popen(["/bin/bash", "--norc", "--noprofile"], cwd=folder, stdin=pipe, stdout=pipe)


def _ask(bash: "subprocess.Popen[bytes]", command: str) -> float:
    assert bash.stdin is not None
    assert bash.stdout is not None
    before = time.perf_counter()
    bash.stdin.write(f"{command}\nprintf '\\036'\n".encode())
    bash.stdin.flush()
    while not os.read(bash.stdout.fileno(), 1 << 16).endswith(END):
        pass
    return (time.perf_counter() - before) * 1e3


def _cold(rounds: int) -> str:
    """A whole engine that answers one request, by a shell line that feeds it."""
    request = '{"id": "0000000000000000", "command": "echo hi | cat", "cwd": "/", "env": {}}'
    words = " ".join(f"'{word}'" for word in engine_argv(sys.executable))
    line = f"echo '{request}' | {words}"
    env = engine_environment(os.environ)
    found = measure([Contender("engine", ["/bin/sh", "-c", line], env)], rounds)["engine"]
    return (
        f"start, one command, end: {found.cpu * 1e3:.0f} ms of CPU, {found.wall * 1e3:.0f} ms, {found.peak:.0f} MiB\n"
    )
