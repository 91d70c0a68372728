"""What a command of `pi config` works with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_api import SETTINGS, TRUST, PiError, service
from pi_api.settings import Scope, Settings
from pi_kernel.loader import PluginFailure

if TYPE_CHECKING:
    from pi_kernel import Kernel

NEEDED = frozenset({"config", "settings", "trust"})
"""Plugins without which nothing can be configured; used even when they are switched off."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The settings of a directory, and the scope that a command is about."""

    kernel: "Kernel"
    settings: Settings
    cwd: Path
    trusted: bool
    scope: Scope

    def load_builtin(self) -> None:
        """Load the built-in plugins too: they know their settings and bring resources. Third parties stay outside."""
        self.kernel.load(builtin_only=True)

    @property
    def third_party(self) -> bool:
        """Plugins are installed of which nothing is known here."""
        return any(not plugin.builtin for plugin in self.kernel.plugins())


def open_desk(kernel: "Kernel", cwd: Path, flags: Mapping[str, Any], *, scope: Scope) -> Desk:
    """Load what configuring takes, and nothing of a third party. `PiError` when settings are not to be had."""
    kernel.enable(NEEDED)
    kernel.load(only=NEEDED)
    settings, trust = service(kernel, SETTINGS), service(kernel, TRUST)
    if settings is None:
        raise PiError(_no_settings(kernel))
    trusted = trust.trusted(cwd, flags) if trust else bool(flags.get("approve"))
    settings.use_project(str(cwd), trusted=trusted)
    return Desk(kernel, settings, cwd, trusted, scope)


def _no_settings(kernel: "Kernel") -> str:
    failures = [one for one in kernel.failures if isinstance(one, PluginFailure) and one.plugin == "settings"]
    if failures:
        return f"settings cannot be read or written: {failures[0]}; reinstall pi-settings"
    return "settings cannot be read or written; install the distribution pi-settings"
