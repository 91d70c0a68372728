"""The manifest: one service, its flags and settings, and a word on what was left out."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import Flag, Service, Session, SettingsSection
    from pi_kernel import Kernel
    from pi_kernel.bus import Bus


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """Specify the hooks whose registrations are asked for: resources."""
    from pi_api import add_hookspecs

    add_hookspecs(pm)


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    """Offer the prompt service."""
    from pi_api import PROMPT, Service

    def create(kernel: "Kernel") -> Any:
        from pi_context.builder import SystemPromptBuilder

        return SystemPromptBuilder(kernel)

    register(Service(PROMPT, create))


@hookimpl
def pi_flags(register: "Callable[[Flag], None]") -> None:
    """Offer the flags of the system prompt."""
    from pi_context.flags import FLAGS

    for flag in FLAGS:
        register(flag)


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    """Own the section `context`."""
    from pi_api import SettingsSection

    register(SettingsSection("context", "pi_context.settings:ContextSettings", "what goes into the system prompt"))


@hookimpl
def pi_session(session: "Session", bus: "Bus") -> None:
    """Tell what was left out of the system prompt, when it has been built."""
    from pi_api.events import SystemPrompt

    from pi_context.notices import reporter

    bus.on(SystemPrompt, reporter(session, bus))
