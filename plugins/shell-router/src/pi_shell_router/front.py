"""A person's side of the shell: one command, or a prompt."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_api.shell import ShellHost, ShellOutcome, ShellRequest

from pi_shell_router.router import WINDOWS, Router
from pi_shell_router.session import RoutedSession

if TYPE_CHECKING:
    from pi_kernel import Kernel

REFUSED, TIMED_OUT, NOT_STARTED = 2, 124, 1
INTERRUPTED = 130
GROUPS = ("auto", "contract", "posix")


class NoSuchTier(Exception):
    """`--tier` names nothing that is installed."""


@dataclass(frozen=True, slots=True)
class Front:
    """Runs commands for a person or a program; `timeout` in seconds holds for each."""

    router: Router
    tier: str | None
    timeout: float | None

    def open(self) -> RoutedSession:
        """A session in the current directory and environment."""
        host = ShellHost(Path.cwd(), dict(os.environ), "pi-shell")
        session = self.router.open_with(host, self.tier)
        assert isinstance(session, RoutedSession)
        return session

    def once(self, command: str) -> int:
        """Run one command; its status, or 2 for a refusal, 124 for a timeout, 1 when it did not run."""
        return self._interruptible(self._once(command))

    async def _once(self, command: str) -> int:
        session = self.open()
        try:
            return await self.show(session, command)
        finally:
            await session.close()

    async def show(self, session: RoutedSession, command: str) -> int:
        """Run a command, its output on our own streams as it comes, and tell how it ended."""
        split = not _same_file(1, 2)

        async def write(data: bytes) -> None:
            _write(1, data)

        outcome = await session.run(ShellRequest(command, self.timeout, split=split), write)
        _write(2, outcome.stderr)
        if outcome.cause != "exited" or outcome.note:
            _write(2, f"pi shell: {_ended(outcome, self.timeout)}\n".encode("utf-8", "backslashreplace"))
        return status_of(outcome)

    def interact(self) -> int:
        """Read commands until the end of the input; the status is the last one's."""
        if not sys.stdin.isatty():
            return self.once(sys.stdin.read())
        return self._interruptible(self._interact())

    async def _interact(self) -> int:
        session, status = self.open(), 0
        try:
            while (line := await asyncio.to_thread(_ask)) is not None:
                if line.strip():
                    status = await self.show(session, line)
        finally:
            await session.close()
        return status

    def _interruptible(self, work: Coroutine[Any, Any, int]) -> int:
        try:
            return asyncio.run(work)
        except KeyboardInterrupt:
            return INTERRUPTED


def status_of(outcome: ShellOutcome) -> int:
    """The exit status that stands for an outcome."""
    if outcome.cause == "refused":
        return REFUSED
    if outcome.cause == "timeout":
        return TIMED_OUT
    return outcome.exit_code if outcome.exit_code is not None else NOT_STARTED


def open_front(kernel: Kernel, tier: str | None, *, timeout: float | None = None) -> Front:
    """The front over this kernel's tiers. Raises `NoSuchTier`."""
    router = Router(kernel)
    names = (*GROUPS, *router.choices(os.environ).installed)
    if tier is not None and tier not in names:
        raise NoSuchTier(f"no tier is called {tier}; there are {', '.join(dict.fromkeys(names))}")
    return Front(router, tier, timeout)


def _ended(outcome: ShellOutcome, timeout: float | None) -> str:
    if outcome.cause == "timeout":
        return f"timed out after {timeout:g} s; {outcome.note}"
    return outcome.note or outcome.cause


def _ask() -> str | None:
    try:
        return input("pi$ ")
    except EOFError:
        print()
        return None


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _same_file(one: int, other: int) -> bool:
    """Whether two descriptors lead to one place; Windows cannot tell that of pipes, so there only of a terminal."""
    try:
        return os.isatty(one) and os.isatty(other) if WINDOWS else os.path.sameopenfile(one, other)
    except OSError:
        return True
