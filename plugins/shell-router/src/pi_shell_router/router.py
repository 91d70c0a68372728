"""The shell service: knows settings and tiers, opens sessions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_api import SETTINGS, service
from pi_api.kinds import SHELL_TIERS
from pi_api.shell import ShellHost, ShellSession, ShellTier

from pi_shell_router.routing import ENGINE, ENGINE_DISTRIBUTION, FLOOR, POSIX, Mode, Tiers
from pi_shell_router.settings import Choice, ShellSettings, WindowsShellSettings

if TYPE_CHECKING:
    from pi_kernel import Kernel

WINDOWS = os.name == "nt"


@dataclass(frozen=True, slots=True)
class Choices:
    """What one session works with: a forced tier by name, or a mode; the tiers by name; what the engine's state is."""

    mode: Mode
    forced: str | None
    installed: Mapping[str, ShellTier]
    tiers: Tiers
    search_guard: bool


class Router:
    """Opens shell sessions that choose a tier for each command."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def open(self, host: ShellHost) -> ShellSession:
        """A session by the settings."""
        return self.open_with(host, None)

    def open_with(self, host: ShellHost, tier: str | None) -> ShellSession:
        """A session in which `tier` (`auto`, `contract`, or the name of a tier) stands in for the setting."""
        from dataclasses import replace

        from pi_shell_router.session import RoutedSession

        host = replace(host, settings=service(self._kernel, SETTINGS))
        return RoutedSession(host, self.choices(host.env, tier))

    def choices(self, env: Mapping[str, str], tier: str | None = None) -> Choices:
        """What a session with this environment works with."""
        settings = service(self._kernel, SETTINGS)
        shell = settings.read("shell", ShellSettings) if settings else ShellSettings()
        windows = settings.read("windowsShell", WindowsShellSettings) if settings else WindowsShellSettings()
        installed = {registered.name: registered.value for registered in self._kernel.all(SHELL_TIERS)}
        forced = tier if tier not in (None, "auto", "contract", POSIX) else None
        return Choices(
            mode_of(tier or shell.tier, windows=WINDOWS),
            forced,
            installed,
            describe(installed, env, engine_on=windows.python_engine),
            shell.search_guard,
        )


def mode_of(choice: Choice | str, *, windows: bool) -> Mode:
    """Real bash or the contract."""
    if choice == POSIX:
        return "posix"
    return "contract" if choice == "contract" or windows else "posix"


def describe(installed: Mapping[str, ShellTier], env: Mapping[str, str], *, engine_on: bool) -> Tiers:
    """The contract's tiers as routing needs to know them."""
    floor = installed.get(FLOOR)
    takes = getattr(floor, "takes", None) if floor is not None and floor.unavailable(env) is None else None
    engine = installed.get(ENGINE)
    missing = f"it is not installed; install {ENGINE_DISTRIBUTION}" if engine is None else engine.unavailable(env) or ""
    return Tiers(takes, engine_on, missing)
