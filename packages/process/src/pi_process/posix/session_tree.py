"""A process tree on systems without /proc marks: the session's group, plus descendants found through the system.

Best effort: a process that starts its own session *and* has lost its parent is no longer found.
"""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

ChildrenOf: TypeAlias = Callable[[int], Iterable[int]]


def system_children_of() -> ChildrenOf:
    """How this system tells a process's children: libproc on macOS, not at all on the BSDs."""
    if sys.platform == "darwin":
        from pi_process.posix.libproc import children_of

        return children_of
    return lambda pid: ()


class SessionTree:
    """The tree under `root`; members outside its group are remembered from the first time they were seen."""

    def __init__(self, root: int, own_session: bool, children_of: ChildrenOf | None = None) -> None:
        self._root = root
        self._own_session = own_session
        self._root_collected = False
        self._children_of = children_of or system_children_of()
        self._strays: set[int] = set()

    def root_collected(self) -> None:
        self._root_collected = True

    def members(self) -> tuple[int, ...]:
        self._look()
        self._strays = {pid for pid in self._strays if _signal(os.kill, pid, 0)}
        rooted = self._root_lives() or (self._own_session and _signal(os.killpg, self._root, 0))
        return (*((self._root,) if rooted else ()), *sorted(self._strays))

    def terminate(self) -> None:
        self._send(signal.SIGTERM)
        self._send(signal.SIGCONT)

    def kill(self) -> tuple[int, ...]:
        alive = self.members()
        self._send(signal.SIGKILL)
        return alive

    def release(self) -> None:
        """Nothing is held."""

    def _root_lives(self) -> bool:
        return not self._root_collected and _signal(os.kill, self._root, 0)

    def _look(self) -> None:
        starts = [*self._strays, *(() if self._root_collected else (self._root,))]
        for pid in _descendants(starts, self._children_of):
            if not self._own_session or _group_of(pid) not in (None, self._root):
                self._strays.add(pid)

    def _send(self, signum: signal.Signals) -> None:
        self._look()
        if self._own_session:
            _signal(os.killpg, self._root, signum)
        elif not self._root_collected:
            _signal(os.kill, self._root, signum)
        for pid in self._strays:
            _signal(os.kill, pid, signum)


def _descendants(starts: Iterable[int], children_of: ChildrenOf) -> Iterator[int]:
    seen = set(starts)
    pending = list(seen)
    while pending:
        for child in children_of(pending.pop()):
            if child not in seen:
                seen.add(child)
                pending.append(child)
                yield child


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _signal(send: Callable[[int, int], None], target: int, signum: int) -> bool:
    """True when something was there to take it. macOS answers "not permitted" for a group of zombies."""
    try:
        send(target, signum)
    except (ProcessLookupError, PermissionError):
        return False
    return True
