"""The manifest: the service that makes sessions, and the settings of delivery."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import Service, SettingsSection
    from pi_api.services import AgentFactory
    from pi_kernel import Kernel


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """The agent asks for tools, providers, commands and services."""
    from pi_api import add_hookspecs

    add_hookspecs(pm)


def _factory(kernel: "Kernel") -> "AgentFactory":
    from pi_agent.session import Agents

    return Agents()


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    """Give the service `AGENT`."""
    from pi_api import AGENT, Service

    register(Service(AGENT, _factory))


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    """Own `steeringMode`, `followUpMode`, `maxStallTurns` and `maxProviderTurns`, at the top level."""
    from pi_api import SettingsSection

    register(SettingsSection("", "pi_agent.settings:AgentSettings", "how queued messages are delivered"))
