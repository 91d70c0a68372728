"""The context a tool runs in, without an agent."""

from pathlib import Path
from typing import Any, TypeVar

from pi_api.tool import ToolResult

S = TypeVar("S")


class FakeToolContext:
    """A `ToolContext` for calling tools directly; `updates` holds every partial result that was shown.

    State belongs to the context, or to `session` when one is given, so calls that share a session share state.
    """

    def __init__(self, cwd: Path, *, call_id: str = "call-1", session: Any = None) -> None:
        self.cwd = cwd
        self.call_id = call_id
        self.session = session
        self.updates: list[ToolResult] = []
        self._states: dict[type, Any] = {}

    def state(self, kind: type[S]) -> S:
        if self.session is not None:
            shared: S = self.session.state(kind)
            return shared
        if kind not in self._states:
            self._states[kind] = kind()
        found: S = self._states[kind]
        return found

    async def update(self, partial: ToolResult) -> None:
        self.updates.append(partial)
