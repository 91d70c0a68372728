"""Lifecycle hooks: all that the kernel itself ever asks of a plugin.

Feature hooks (tools, providers, commands, modes, ...) are specified in `pi_api` and join through `pi_addhooks`.
"""

from typing import TYPE_CHECKING, Any

from pi_kernel.markers import hookspec

if TYPE_CHECKING:
    import pluggy

    from pi_kernel.bus import Bus
    from pi_kernel.kernel import Kernel
    from pi_kernel.registry import Registrar


@hookspec
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """Add hook specifications of your own; called first, once, when the plugin has been imported.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_addhooks(pm):
    ...     from my_plugin import hookspecs
    ...     pm.add_hookspecs(hookspecs)
    """


@hookspec
def pi_register(registry: "Registrar") -> None:
    """Put values of any kind into the registry; called once, after `pi_addhooks`, before any session exists.

    Use it for kinds of your own; the kinds of `pi_api` have a hook each.

    >>> from pi_kernel import hookimpl
    >>> from pi_kernel.registry import Kind
    >>> GREETINGS = Kind("greeting", key=str.lower)
    >>> @hookimpl
    ... def pi_register(registry):
    ...     registry.add(GREETINGS, "Hello")
    """


@hookspec
def pi_settings(register: Any) -> None:
    """Name the settings sections you own; called when settings are first read, before any session exists.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_settings(register):
    ...     from pi_api import SettingsSection
    ...     register(SettingsSection("greeter", model="my_plugin.settings:GreeterSettings"))
    """


@hookspec
def pi_session(session: Any, bus: "Bus") -> None:
    """A session has been bound: subscribe to its bus; called once per session, before its first event.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_session(session, bus):
    ...     from pi_api.events import AgentEnd
    ...     bus.on(AgentEnd, lambda event: print("done"))
    """


@hookspec
def pi_teardown(kernel: "Kernel") -> None:
    """Release what you hold; called once when the process ends or the plugin is unloaded.

    >>> from pi_kernel import hookimpl
    >>> @hookimpl
    ... def pi_teardown(kernel):
    ...     print("bye")
    """
