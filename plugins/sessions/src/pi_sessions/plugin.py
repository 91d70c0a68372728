"""The manifest: one service, its flags, its setting."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Flag, Service, SettingsSection


@hookimpl
def pi_flags(register: "Callable[[Flag], None]") -> None:
    from pi_sessions.flags import FLAGS

    for flag in FLAGS:
        register(flag)


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    from pi_api import SettingsSection

    register(SettingsSection("sessions", "pi_sessions.settings:SessionsSettings", "where sessions are kept"))


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    from pi_api import SESSIONS, Service

    def create(kernel: Any) -> Any:
        from pi_sessions.store import store_of

        return store_of(kernel)

    register(Service(SESSIONS, create))
