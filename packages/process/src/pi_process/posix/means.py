"""Which of the system's means to follow a child with."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform != "win32"

import asyncio
import functools
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from pi_process.posix.exit_watch import OnExit, ThreadWatch
from pi_process.posix.session_tree import SessionTree
from pi_process.trees import Tree


class PosixTree(Tree, Protocol):
    """A tree whose root is a child of ours."""

    def root_collected(self) -> None:
        """The root's status has been taken, so its number may be given to an unrelated process."""


class Watch(Protocol):
    """Waits for the end of a direct child."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Means:
    """`starting` is the context a child is started in and gives the tree's constructor, which takes the root's pid and
    whether it leads a session."""

    starting: Callable[[], AbstractContextManager[Callable[[int, bool], PosixTree]]]
    watch: Callable[[int, asyncio.AbstractEventLoop, OnExit], Watch]


PORTABLE = Means(lambda: nullcontext(SessionTree), ThreadWatch)


@functools.cache
def system_means() -> Means:
    """Linux's own where the kernel has them (5.3 and later, outside odd sandboxes), else the portable ones."""
    if sys.platform == "linux":
        from pi_process.posix.linux_tree import starting
        from pi_process.posix.pidfd import DescriptorWatch, has_pidfd

        if has_pidfd() and os.path.exists(f"/proc/{os.getpid()}/stat"):
            return Means(starting, DescriptorWatch)
    return PORTABLE
