"""Children written in Python, so that the same tests run on every system."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_process import Spawn

DEADLINE = 30.0
"""Seconds any wait in these tests may take before it counts as a hang; far above what a busy machine needs."""


def program(code: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", code, *arguments)


@pytest.fixture
def child() -> Callable[..., Spawn]:
    """`child(code, *arguments, **fields)`: a Spawn of a Python program."""

    def make(code: str, *arguments: str, **fields: Any) -> Spawn:
        return Spawn(program(code, *arguments), **fields)

    return make


def alive(pid: int) -> bool:
    """Whether `pid` runs; a zombie does not."""
    if sys.platform == "win32":
        import _winapi

        try:
            handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, pid)
        except OSError:
            return False
        try:
            return _winapi.WaitForSingleObject(handle, 0) != _winapi.WAIT_OBJECT_0
        finally:
            _winapi.CloseHandle(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


@pytest.fixture
def is_alive() -> Callable[[int], bool]:
    return alive


@pytest.fixture
def wait_for() -> Callable[[Callable[[], bool]], None]:
    """`wait_for(condition)` returns once it holds and fails after the deadline."""

    def wait(condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < give_up, f"still not so after {DEADLINE:.0f} s"
            time.sleep(0.005)

    return wait


@pytest.fixture
def deadline() -> float:
    return DEADLINE
