"""Reading Linux's /proc: one process's state, who its children are, and the mark it carries."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "linux"

import contextlib
import os
import resource
from collections.abc import Iterator
from typing import NamedTuple


class ProcessState(NamedTuple):
    """The fields of /proc/PID/stat (proc(5)) that tell processes apart. `started` is in clock ticks since boot."""

    pid: int
    state: str
    parent: int
    session: int
    threads: int
    started: int

    @property
    def dead(self) -> bool:
        """A zombie. A leader that ended before its other threads also shows Z, but its process lives on."""
        return self.state in "ZX" and self.threads <= 1


def read_state(pid: int) -> ProcessState | None:
    """The state of `pid`, or None when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            text = file.read()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name field is in parentheses and may itself contain spaces and parentheses.
    fields = text[text.rindex(b")") + 2 :].split()
    return ProcessState(pid, fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[17]), int(fields[19]))


def all_pids() -> list[int]:
    """Every process visible in /proc."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


class ListedChildren:
    """Children as the kernel lists them per thread (CONFIG_PROC_CHILDREN); costs nothing for unrelated processes."""

    def of(self, pid: int) -> list[int]:
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except (FileNotFoundError, ProcessLookupError):
            return []
        return [child for thread in threads for child in self._of_thread(pid, thread)]

    @staticmethod
    def _of_thread(pid: int, thread: str) -> list[int]:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as file:
                return [int(child) for child in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            return []


class ScannedChildren:
    """Children worked out from every process's parent field, for kernels without the per-thread list."""

    def __init__(self) -> None:
        self._of: dict[int, list[int]] = {}
        for pid in all_pids():
            if state := read_state(pid):
                self._of.setdefault(state.parent, []).append(pid)

    def of(self, pid: int) -> list[int]:
        return self._of.get(pid, [])


Children = ListedChildren | ScannedChildren


def children_view() -> Children:
    """The cheapest view this kernel offers; take a new one for each pass."""
    own = os.getpid()
    return ListedChildren() if os.path.exists(f"/proc/{own}/task/{own}/children") else ScannedChildren()


RLIMIT_RTTIME = 15
"""Microseconds a real-time thread may run without blocking (getrlimit(2)); the resource module has no name for it."""


@contextlib.contextmanager
def marked(mark: int) -> Iterator[bool]:
    """Have this process, and so what it forks meanwhile, carry `mark` in its soft RTTIME limit; False if refused.

    Every descendant inherits it, and exec, setsid, a cleared environment or a rewritten command line do not take it
    away. As a limit it never bites: marks stand for thousands of years.
    """
    before = resource.getrlimit(RLIMIT_RTTIME)
    try:
        resource.setrlimit(RLIMIT_RTTIME, (mark, before[1]))
    except (OSError, ValueError):
        yield False
        return
    try:
        yield True
    finally:
        resource.setrlimit(RLIMIT_RTTIME, before)


def read_mark(pid: int) -> int | None:
    """The soft RTTIME limit of `pid`, which a zombie still has; None when it cannot be read."""
    try:
        return resource.prlimit(pid, RLIMIT_RTTIME)[0]
    except PermissionError:
        return _read_mark_of_other_user(pid)
    except (OSError, ValueError):
        return None


def _read_mark_of_other_user(pid: int) -> int | None:
    """As `read_mark`, for a setuid program: its limits are readable as text."""
    try:
        with open(f"/proc/{pid}/limits", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("Max realtime timeout"))
    except (OSError, StopIteration):
        return None
    soft = line.split()[3]
    return int(soft) if soft.isdigit() else None
