"""Telling people what was left out of the system prompt."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pi_api import PROMPT, service
from pi_api.events import Notice, SystemPrompt

from pi_context.builder import SystemPromptBuilder

if TYPE_CHECKING:
    from pi_api import Session
    from pi_kernel.bus import Bus


def reporter(session: "Session", bus: "Bus") -> Callable[[SystemPrompt], Awaitable[None]]:
    """A handler that tells each problem of the prompt once a session."""
    told: set[str] = set()

    async def report(event: SystemPrompt) -> None:
        builder = service(session.kernel, PROMPT)
        if not isinstance(builder, SystemPromptBuilder):
            return
        for problem in builder.problems:
            if problem not in told:
                told.add(problem)
                await bus.emit(Notice(problem))

    return report
