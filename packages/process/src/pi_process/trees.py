"""The process trees of this host that are alive, and killing them: one, or all of them at exit."""

from __future__ import annotations

import atexit
import os
import signal
import time
from collections.abc import Iterable
from types import FrameType
from typing import Protocol

KILL_LIMIT = 3.0
"""Seconds after which a tree that still does not die is given up and reported (blocked in the kernel, or not ours)."""


class Tree(Protocol):
    """A direct child and every process that descends from it."""

    def members(self) -> tuple[int, ...]:
        """Pids of the members that are alive now; zombies are none."""

    def terminate(self) -> None:
        """Ask every member once to end."""

    def kill(self) -> tuple[int, ...]:
        """Kill every member found in one pass and return those; an empty answer means that none was left."""

    def release(self) -> None:
        """Give back what the tree holds in the system. It is not asked for anything after that."""


class LiveTrees:
    """Every tree started by this process and not yet known to be empty.

    A forked copy of the host inherits the table but owns none of the trees, so there it counts as empty.
    """

    def __init__(self) -> None:
        self._trees: list[Tree] = []
        self._kept: list[Tree] = []
        self._owner = os.getpid()
        self._hooked = False

    def add(self, tree: Tree) -> None:
        if self._owner != os.getpid():
            self._trees, self._kept, self._owner, self._hooked = [], [], os.getpid(), False
        if not self._hooked:
            atexit.register(kill_all)
            self._hooked = True
        self._trees.append(tree)
        self._forget_emptied()

    def keep(self, tree: Tree) -> None:
        """Its call is over, its remaining members run on."""
        self._kept.append(tree)
        self._forget_emptied()

    def remove(self, tree: Tree) -> None:
        if tree in self._trees:
            self._trees.remove(tree)
        tree.release()

    def current(self) -> tuple[Tree, ...]:
        return tuple(self._trees) if self._owner == os.getpid() else ()

    def _forget_emptied(self) -> None:
        for tree in [tree for tree in self._kept if not tree.members()]:
            self._kept.remove(tree)
            self.remove(tree)


live_trees = LiveTrees()


def backoff() -> Iterable[float]:
    """Pauses in seconds between two looks at dying processes: most die within a millisecond."""
    pause = 0.0005
    while True:
        yield pause
        pause = min(pause * 2, 0.05)


def kill_and_wait(trees: Iterable[Tree], limit: float = KILL_LIMIT) -> tuple[int, ...]:
    """Kill `trees` and block until nothing of them is alive, at most `limit` seconds; return the survivors' pids."""
    deadline = time.monotonic() + limit
    pending = tuple(trees)
    for pause in backoff():
        alive = {tree: pids for tree in pending if (pids := tree.kill())}
        if not alive or time.monotonic() >= deadline:
            return tuple(pid for pids in alive.values() for pid in pids)
        pending = tuple(alive)
        time.sleep(pause)
    raise AssertionError("backoff never ends")


def kill_all() -> tuple[int, ...]:
    """Kill every live tree of this host, waiting for them to die; return the survivors' pids.

    Runs by itself at interpreter exit. It takes no lock, so a signal handler may call it at any moment.
    """
    return kill_and_wait(live_trees.current())


def kill_all_on_signals(names: Iterable[str] = ("SIGTERM", "SIGHUP", "SIGBREAK")) -> None:
    """Make the host kill its trees and then die of the signal, for each of `names` this system has.

    For hosts that handle these signals in no other way; call it in the main thread. A signal the host was started to
    ignore (as under nohup) stays ignored.
    """
    for name in names:
        signum = getattr(signal, name, None)
        if signum is not None and signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, _kill_all_and_die)


def _kill_all_and_die(signum: int, frame: FrameType | None) -> None:
    kill_all()
    signal.signal(signum, signal.SIG_DFL)
    signal.raise_signal(signum)
