"""The manifest: the hook specifications of `pi_api`, the flags every run knows, the settings that choose a model."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pi_api
from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import Flag, SettingsSection


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    pi_api.add_hookspecs(pm)


@hookimpl
def pi_flags(register: "Callable[[Flag], None]") -> None:
    from pi_cli.flags import FLAGS

    for flag in FLAGS:
        register(flag)


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    from pi_api import SettingsSection

    register(SettingsSection("", "pi_cli.settings:ModelSettings", "which model a new session starts with"))
