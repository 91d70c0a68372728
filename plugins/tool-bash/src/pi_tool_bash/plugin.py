"""The manifest: one tool and its settings."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import SettingsSection, Tool
    from pi_kernel.bus import Bus


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    from pi_tool_bash.tool import bash_tool

    register(bash_tool())


@hookimpl
def pi_settings(register: "Callable[[SettingsSection], None]") -> None:
    from pi_api import SettingsSection

    register(SettingsSection("bash", "pi_tool_bash.settings:BashSettings", "the bash tool"))


@hookimpl
def pi_session(session: Any, bus: "Bus") -> None:
    from pi_api.events import SessionShutdown

    async def close(event: SessionShutdown) -> None:
        from pi_tool_bash.shell import Shell

        await session.state(Shell).close()

    bus.on(SessionShutdown, close)
