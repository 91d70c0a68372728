"""Reading Linux's /proc: one process's state, and who its children are."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "linux"

import os
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
