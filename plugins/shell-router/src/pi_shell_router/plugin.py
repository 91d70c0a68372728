"""The manifest: the shell service and its settings."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import Service, SettingsSection
    from pi_kernel import Kernel

    from pi_shell_router.router import Router


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    from pi_api import add_hookspecs

    add_hookspecs(pm)


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    from pi_api import SHELL, Service

    register(Service(SHELL, _router))


def _router(kernel: "Kernel") -> "Router":
    from pi_shell_router.router import Router

    return Router(kernel)


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    from pi_api import SettingsSection

    register(SettingsSection("shell", "pi_shell_router.settings:ShellSettings", "which shell runs commands"))
    section = SettingsSection("windowsShell", "pi_shell_router.settings:WindowsShellSettings", "the shell on Windows")
    register(section)
