"""Which interpreter runs the engine: pi's own, one the user names, or a Python 3.13 that uv manages."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache

from pi_shell_engine.failures import EngineUnavailable

MANAGED = "managed"
VERSION = "3.13"
FIND_TIMEOUT, INSTALL_TIMEOUT = 10.0, 300.0
RETRY_AFTER = 30.0
"""Seconds for which a failure to get an interpreter is remembered."""
REASON_LIMIT = 4000

Uv = Callable[[tuple[str, ...], float], Awaitable[tuple[int | None, str]]]
"""Runs `uv` with these arguments and a limit in seconds; gives its exit code and what it printed."""


class FixedInterpreter:
    """An interpreter known by its path."""

    def __init__(self, python: str) -> None:
        self._python = python

    async def path(self) -> str:
        """The path. Raises `EngineUnavailable` when no file is there."""
        if not os.path.isfile(self._python):
            raise EngineUnavailable(unavailable_text(f"{self._python} does not exist", "correct shellEngine.python"))
        return self._python


class ManagedInterpreter:
    """A Python 3.13 that `uv` finds or installs, once a process."""

    def __init__(self, uv: Uv, *, offline: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._uv = uv
        self._offline = offline
        self._clock = clock
        self._found: str | None = None
        self._failure: tuple[float, EngineUnavailable] | None = None
        self._attempt = asyncio.Lock()

    async def path(self) -> str:
        """The path of the interpreter, looked for on first use. Raises `EngineUnavailable`."""
        async with self._attempt:
            if self._found is None:
                if self._failure is not None and self._clock() - self._failure[0] < RETRY_AFTER:
                    raise self._failure[1]
                try:
                    self._found = await self._find()
                except EngineUnavailable as error:
                    self._failure = (self._clock(), error)
                    raise
            return self._found

    async def _find(self) -> str:
        python, reason = await self._ask_uv()
        if python is not None:
            return python
        if self._offline:
            raise _unavailable(f"uv has no Python {VERSION} here, and PI_OFFLINE forbids installing one")
        code, printed = await self._uv(("python", "install", VERSION), INSTALL_TIMEOUT)
        if code != 0:
            raise _unavailable(f"uv could not install Python {VERSION}: {printed.strip() or reason}")
        python, reason = await self._ask_uv()
        if python is None:
            raise _unavailable(f"uv does not find the Python {VERSION} that it installed: {reason}")
        return python

    async def _ask_uv(self) -> tuple[str | None, str]:
        code, printed = await self._uv(("python", "find", VERSION, "--no-project"), FIND_TIMEOUT)
        found = printed.strip()
        return (found, "") if code == 0 and os.path.isfile(found) else (None, found)


async def run_uv(arguments: tuple[str, ...], limit: float) -> tuple[int | None, str]:
    """`uv` from the PATH or from beside the running interpreter."""
    import shutil

    from pi_process import Cause, Spawn, capture

    beside = os.path.join(os.path.dirname(sys.executable), "uv.exe" if os.name == "nt" else "uv")
    uv = shutil.which("uv") or beside
    result = await capture(Spawn((uv, *arguments), merge_stderr=False), timeout=limit)
    if result.outcome.failure is not None:
        return None, f"uv is not available: {result.outcome.failure}"
    if result.outcome.cause is Cause.TIMEOUT:
        return None, f"uv did not answer within {limit:g} s"
    return result.outcome.exit_code, (result.stdout or result.stderr).decode("utf-8", "replace")


def choose(setting: str, env: Mapping[str, str]) -> FixedInterpreter | ManagedInterpreter:
    """The interpreter that the setting `shellEngine.python` names; a managed one serves the whole process."""
    if setting == MANAGED:
        return _managed(env.get("PI_OFFLINE", "") not in ("", "0"))
    return FixedInterpreter(os.path.expanduser(setting) if setting else sys.executable)


@cache
def _managed(offline: bool) -> ManagedInterpreter:
    return ManagedInterpreter(run_uv, offline=offline)


def _unavailable(reason: str) -> EngineUnavailable:
    lines = [line.strip() for line in reason.splitlines()]
    return EngineUnavailable(unavailable_text("; ".join(filter(None, lines))[:REASON_LIMIT], "fix uv or the network"))


def unavailable_text(reason: str, remedy: str) -> str:
    """What the user reads when the engine has no interpreter."""
    return (
        f"the shell engine is unavailable: its Python runtime cannot be had ({reason}). Simple commands still run; "
        f"{remedy} to restore loops, pipelines, redirection, expansion and chaining"
    )
