"""Marks that every descendant of a process inherits and keeps: exec, setsid, a cleared environment, a rewritten command
line do not take them away.

A mark is the soft RTTIME limit (getrlimit(2)), in microseconds. As a limit it never bites: marks stand for thousands of
years. It is 2**60, plus 30 bits for a tree, plus 28 bits that are zero except in the marks a marked host gives to its
own trees; so an outer host knows what belongs to a host that runs, or ran, inside one of its trees.
"""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "linux"

import contextlib
import os
import resource
import secrets
from collections.abc import Iterator

RLIMIT_RTTIME = 15
"""The resource module has no name for it."""

_BASE = 1 << 60
_TREE_BITS = 30
_INNER_BITS = 28


def new_mark(own: int | None) -> int:
    """A mark for a new tree of a host that carries `own` itself, which is a mark if the host runs inside a tree."""
    if own is not None and own >> (_TREE_BITS + _INNER_BITS) == _BASE >> (_TREE_BITS + _INNER_BITS):
        return own >> _INNER_BITS << _INNER_BITS | (1 + secrets.randbelow((1 << _INNER_BITS) - 1))
    return _BASE | secrets.randbits(_TREE_BITS) << _INNER_BITS


def covers(mark: int, found: int | None) -> bool:
    """Whether a process on which `found` was read belongs to the tree with `mark`."""
    if found is None or found == mark:
        return found is not None
    outer = mark % (1 << _INNER_BITS) == 0
    return outer and found >> _INNER_BITS == mark >> _INNER_BITS


@contextlib.contextmanager
def marked(mark: int) -> Iterator[bool]:
    """Have this process, and so what it forks meanwhile, carry `mark`; yields False if the system refuses."""
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
    """What `pid` carries, which a zombie still does; None when it cannot be read. Any process has some value there."""
    try:
        return resource.prlimit(pid, RLIMIT_RTTIME)[0]
    except PermissionError:
        return read_mark_of_other_user(pid)
    except (OSError, ValueError):
        return None


def own_mark() -> int | None:
    """What this process carries."""
    return read_mark(os.getpid())


def read_mark_of_other_user(pid: int) -> int | None:
    """As `read_mark`, for a setuid program: its limits are readable as text."""
    try:
        with open(f"/proc/{pid}/limits", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("Max realtime timeout"))
    except (OSError, StopIteration):
        return None
    soft = line.split()[3]
    return int(soft) if soft.isdigit() else None
