"""The manifest: the settings behind the switches."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import SettingsSection


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """Specify the hooks whose registrations are asked for."""
    from pi_api import add_hookspecs

    add_hookspecs(pm)


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    """Own `plugins` and `disabledResources`."""
    from pi_api import SettingsSection

    register(SettingsSection("plugins", "pi_config.settings:PluginSwitches", "which plugins are switched off"))
    register(
        SettingsSection(
            "disabledResources", "pi_config.settings:ResourceSwitches", "which skills, prompts and themes are off"
        )
    )
