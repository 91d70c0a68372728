"""A process tree on Linux that nothing leaves: not by setsid, not by a double fork, not by clearing its environment.

The host becomes a sub-reaper (prctl(2), PR_SET_CHILD_SUBREAPER), so an orphan of any of its children becomes its own
child in place of init's. Which tree such an orphan belongs to is told by a mark in a resource limit that all
descendants inherit. So a look for members reads a few files about our own children, not all of /proc.
"""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "linux"

import contextlib
import ctypes
import functools
import os
import signal
import threading
from collections.abc import Callable, Iterator

from pi_process.posix import marks, procfs
from pi_process.posix.procfs import ProcessState

PR_SET_CHILD_SUBREAPER = 36

_roots: set[int] = set()
"""Direct children of ours not yet collected; any other child of ours is an adopted orphan, or not our business."""
_marks: set[int] = set()
"""Marks of the trees that are not yet released."""
_one_start_at_a_time = threading.Lock()


@functools.cache
def adopt_orphans(owner: int) -> bool:
    """Make process `owner`, which is this one, the parent of its descendants' orphans; False if the kernel refuses."""
    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


@contextlib.contextmanager
def starting() -> Iterator[Callable[[int, bool], LinuxTree]]:
    """Start a child inside this context; it yields the constructor of its tree.

    The mark is on the host itself for this moment, so the child carries it from birth: marking it afterwards comes too
    late for a child that daemonises while the host waits for the processor. A program that another thread starts in the
    same moment, and not through here, carries it as well.
    """
    adopt_orphans(os.getpid())
    collect_adopted()
    with _one_start_at_a_time:
        mark = marks.new_mark(marks.own_mark())
        with marks.marked(mark) as marked:
            yield functools.partial(LinuxTree, mark if marked else None)


class LinuxTree:
    """The tree under `root`, which has just been started with `mark` (None if there is none) and is not yet collected.

    `own_session` says that it leads its own session, so that the session's number identifies members as well.
    """

    def __init__(self, mark: int | None, root: int, own_session: bool) -> None:
        self._mark = mark
        self._root = root
        self._own_session = own_session
        self._root_collected = False
        self._seen: dict[int, int] = {}
        self._adopting = adopt_orphans(os.getpid())
        _roots.add(root)
        if mark is not None:
            _marks.add(mark)

    def root_collected(self) -> None:
        """The direct child's status has been taken, so its number may be given to an unrelated process."""
        self._root_collected = True
        _roots.discard(self._root)

    def members(self) -> tuple[int, ...]:
        return tuple(state.pid for state in self._alive())

    def terminate(self) -> None:
        for state in self._alive():
            _send(state, signal.SIGTERM)
            # A stopped process acts on the request only once it goes on.
            _send(state, signal.SIGCONT)

    def kill(self) -> tuple[int, ...]:
        alive = self._alive()
        if self._own_session and not self._root_collected:
            _send_group(self._root, signal.SIGKILL)
        for state in alive:
            _send(state, signal.SIGKILL)
        return tuple(state.pid for state in alive)

    def release(self) -> None:
        if self._mark is not None:
            _marks.discard(self._mark)

    def _alive(self) -> list[ProcessState]:
        while True:
            alive, collected = self._scan()
            # A member's children come to us as it dies, perhaps after we had listed ours.
            if not collected:
                return alive

    def _scan(self) -> tuple[list[ProcessState], bool]:
        own = os.getpid()
        root = None if self._root_collected else procfs.read_state(self._root)
        children = procfs.children_view()
        pending = [self._root] if root is not None and not root.dead else []
        pending += self._orphans(children)
        found: dict[int, ProcessState] = {}
        collected = False
        while pending:
            pid = pending.pop()
            if pid in found or (state := procfs.read_state(pid)) is None:
                continue
            if not state.dead:
                found[pid] = state
                if self._mark is None:
                    self._seen[pid] = state.started
                pending += children.of(pid)
            elif state.parent == own and pid != self._root:
                collected |= _collect(pid)
        return list(found.values()), collected

    def _orphans(self, children: procfs.Children) -> list[int]:
        candidates = children.of(os.getpid()) if self._adopting else procfs.all_pids()
        return [pid for pid in candidates if pid not in _roots and self._owns(pid)]

    def _owns(self, pid: int) -> bool:
        if self._mark is not None:
            return marks.covers(self._mark, marks.read_mark(pid))
        # Without marks: those of its session, and those seen as descendants before they lost their parent.
        state = procfs.read_state(pid)
        if state is None:
            return False
        return self._seen.get(pid) == state.started or (self._own_session and state.session == self._root)


def collect_adopted() -> None:
    """Take the status of orphans that died as our adopted children, so that they do not stay zombies.

    Children that carry no mark of ours belong to somebody else's `wait` and are left alone.
    """
    for pid in procfs.children_view().of(os.getpid()):
        state = None if pid in _roots else procfs.read_state(pid)
        if state is not None and state.dead:
            found = marks.read_mark(pid)
            if any(marks.covers(mark, found) for mark in tuple(_marks)):
                _collect(pid)


def _collect(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return False


def _send(state: ProcessState, signum: signal.Signals) -> None:
    """Signal exactly the process that was looked at, not a later one with the same number."""
    try:
        handle = os.pidfd_open(state.pid)
    except ProcessLookupError:
        return
    except OSError:
        handle = -1
    try:
        current = procfs.read_state(state.pid)
        if current is None or current.started != state.started:
            return
        if handle < 0:
            os.kill(state.pid, signum)
        else:
            signal.pidfd_send_signal(handle, signum)
    except (ProcessLookupError, PermissionError):
        # Gone already, or a setuid program of another user: the latter stays a member and is reported as a survivor.
        return
    finally:
        if handle >= 0:
            os.close(handle)


def _send_group(group: int, signum: signal.Signals) -> None:
    """Signal a process group at one stroke, which even a fork bomb cannot outrun."""
    try:
        os.killpg(group, signum)
    except (ProcessLookupError, PermissionError):
        return
