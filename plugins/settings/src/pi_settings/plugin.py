"""The manifest: one service, and a word on what it had to leave out."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import Service, Session
    from pi_kernel import Kernel
    from pi_kernel.bus import Bus


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """Specify the hooks whose registrations are asked for."""
    from pi_api import add_hookspecs

    add_hookspecs(pm)


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    """Offer the settings service."""
    from pi_api import SETTINGS, Service

    def create(kernel: "Kernel") -> Any:
        from pi_settings.service import LayeredSettings

        return LayeredSettings(kernel)

    register(Service(SETTINGS, create))


@hookimpl
def pi_session(session: "Session", bus: "Bus") -> None:
    """Tell which values were left out, once a run has begun and their owners have read them."""
    from pi_api.events import AgentStart

    from pi_settings.notices import reporter

    bus.on(AgentStart, reporter(session, bus))
