"""A host that dies without a word takes the engine and its commands along."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEADLINE = 60.0
HOST = """
import asyncio, os, sys
from pathlib import Path
from pi_api.shell import ShellHost, ShellRequest
from pi_shell_engine.tier import EngineTier

async def main():
    session = EngineTier().open(ShellHost(Path.cwd(), dict(os.environ), "test"))
    async def out(data):
        os.write(1, data)
    command = sys.argv[1].replace("PYTHON", sys.executable)
    await session.run(ShellRequest("echo ready"), out)
    await session.run(ShellRequest(command, None), out)

asyncio.run(main())
"""
SLEEP = "PYTHON -c 'import os, time; print(os.getppid(), os.getpid(), flush=True); time.sleep(600)'"


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
@pytest.mark.parametrize("command", [SLEEP, f"echo a | {SLEEP} | cat", f"X=$({SLEEP} >&2)"])
def test_a_killed_host_leaves_no_engine_and_no_command(command: str, tmp_path: Path) -> None:
    argv = [sys.executable, "-c", HOST, command]
    host = subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"ready\n"
    pids = [int(word) for word in host.stdout.readline().split()]
    assert not any(map(gone, pids))
    os.kill(host.pid, signal.SIGKILL)
    host.wait()
    host.stdout.close()
    deadline = time.monotonic() + DEADLINE
    while not all(map(gone, pids)):
        assert time.monotonic() < deadline, f"still there: {pids}"
        time.sleep(0.005)
