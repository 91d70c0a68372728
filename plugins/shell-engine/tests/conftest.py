"""Drives the engine's process directly, over its own protocol, and keeps bash beside it for comparison."""

import base64
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pi_shell_engine.launch import engine_argv
from pi_shell_engine.wire import barrier

# Modules beside the tests: the harness and the case tables of the builtins.
sys.path.insert(0, str(Path(__file__).parent))

DEADLINE = 60.0


@dataclass(frozen=True)
class Result:
    """What one command did."""

    out: bytes
    status: int
    err: bytes = b""
    cwd: str = ""
    env: Mapping[str, str | None] = field(default_factory=dict)
    refusal: str | None = None


class Engine:
    """An engine process, spoken to in a blocking way."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(engine_argv(sys.executable), stdin=pipe, stdout=pipe, stderr=pipe)
        self._count = 0

    def run(
        self, command: str, cwd: str | os.PathLike[str], env: Mapping[str, str] | None = None, **extra: Any
    ) -> Result:
        """One command; its standard error is kept apart."""
        self._count += 1
        id = f"{self._count:016x}"
        request = {"id": id, "command": command, "cwd": str(cwd), "split": True, **extra}
        if env is not None:
            request["env"] = dict(env)
        watchdog = threading.Timer(DEADLINE, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            out = self._until(barrier(id))
            answer = json.loads(self.process.stderr.readline())
        finally:
            watchdog.cancel()
        assert answer["id"] == id
        refusal = answer["refusal"] and answer["refusal"]["id"]
        stderr = base64.b64decode(answer["stderr"])
        return Result(out, answer["status"], stderr, answer["cwd"], answer["env"], refusal)

    def _until(self, mark: bytes) -> bytes:
        out = b""
        while not out.endswith(mark):
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise AssertionError(f"the engine ended after {out[-300:]!r}: {self.process.stderr.read()!r}")
            out += data
        return out[: -len(mark)]

    def close(self) -> None:
        """End it; it has to go by itself when its requests end."""
        self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()


@pytest.fixture(scope="session")
def warm_engine() -> Iterator[Engine]:
    """One engine for all tests that do not harm it."""
    engine = Engine()
    yield engine
    engine.close()


@pytest.fixture
def base_env(tmp_path: Path) -> dict[str, str]:
    """An environment like the one of an ordinary user."""
    keep = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")
    kept = {name: value for name, value in os.environ.items() if name.upper() in keep}
    return {**kept, "HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TERM": "dumb"}


@pytest.fixture
def sh(warm_engine: Engine, base_env: dict[str, str], tmp_path: Path) -> Callable[..., Result]:
    """Runs a command in a fresh folder."""
    folder = tmp_path / "work"
    folder.mkdir()

    def run(command: str, **extra: Any) -> Result:
        return warm_engine.run(command, extra.pop("cwd", folder), extra.pop("env", base_env), **extra)

    return run


@pytest.fixture(scope="session")
def bash() -> str:
    """The real bash to compare with."""
    found = shutil.which("bash")
    if found is None or sys.platform == "win32":
        pytest.skip("compares with a real bash, which is not on PATH here")
    return found
