"""The kinds of value that feature hooks register, and how to reach a service."""

from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from pi_kernel.registry import Kind

from pi_api.command import Command, Flag, Mode
from pi_api.provider import Provider
from pi_api.resource import DoctorCheck, Resource
from pi_api.services import Service, ServiceKey
from pi_api.settings import SettingsSection
from pi_api.shell import ShellTier
from pi_api.tool import Tool

if TYPE_CHECKING:
    from pi_kernel import Kernel

T = TypeVar("T")

_name = attrgetter("name")

TOOLS: Kind[Tool] = Kind("tool", _name, hook="pi_tools")
PROVIDERS: Kind[Provider] = Kind("provider", _name, hook="pi_providers", last_wins=True)
COMMANDS: Kind[Command] = Kind("command", _name, hook="pi_commands")
FLAGS: Kind[Flag] = Kind("flag", _name, hook="pi_flags")
MODES: Kind[Mode] = Kind("mode", _name, hook="pi_modes")
SHELL_TIERS: Kind[ShellTier] = Kind("shell tier", _name, hook="pi_shell_tiers")
SETTINGS_SECTIONS: Kind[SettingsSection] = Kind(
    "settings section", lambda section: section.name or section.model, hook="pi_settings"
)
"""Several plugins may own keys at the top level (the section ""), so those go by their models."""
RESOURCES: Kind[Resource] = Kind("resource", _name, hook="pi_resources")
DOCTOR_CHECKS: Kind[DoctorCheck] = Kind("doctor check", _name, hook="pi_doctor_checks")
SERVICES: Kind[Service[Any]] = Kind("service", _name, hook="pi_services")

_CREATED: Kind[tuple[str, Any]] = Kind("created service", lambda pair: pair[0])


def service(kernel: "Kernel", key: ServiceKey[T]) -> T | None:
    """The service of a key, made on first use; `None` when no plugin gives it."""
    created = kernel.registry.get(_CREATED, key.name)
    if created is not None:
        value: T = created.value[1]
        return value
    kernel.get(SERVICES, key.name)
    found = kernel.registry.get(SERVICES, key.name)
    if found is None:
        return None
    value = found.value.create(kernel)
    kernel.registry.add(_CREATED, (key.name, value), found.plugin)
    return value
