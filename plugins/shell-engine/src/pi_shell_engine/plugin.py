"""The manifest: one shell tier and its settings."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import SettingsSection
    from pi_api.shell import ShellTier


@hookimpl
def pi_shell_tiers(register: "Callable[[ShellTier], None]") -> None:
    from pi_shell_engine.tier import EngineTier

    register(EngineTier())


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    from pi_api import SettingsSection

    section = SettingsSection("shellEngine", "pi_shell_engine.settings:EngineSettings", "the Python shell engine")
    register(section)
