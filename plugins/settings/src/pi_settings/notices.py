"""Telling people of settings that were left out."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pi_api import SETTINGS, service
from pi_api.events import AgentStart, Notice

from pi_settings.service import LayeredSettings

if TYPE_CHECKING:
    from pi_api import Session
    from pi_kernel.bus import Bus


def reporter(session: "Session", bus: "Bus") -> Callable[[AgentStart], Awaitable[None]]:
    """A handler that tells each refused value once a session; files that cannot be read are told at start-up."""
    told: set[str] = set()

    async def report(event: AgentStart) -> None:
        settings = service(session.kernel, SETTINGS)
        if not isinstance(settings, LayeredSettings):
            return
        for problem in settings.refused:
            if problem not in told:
                told.add(problem)
                await bus.emit(Notice(problem))

    return report
