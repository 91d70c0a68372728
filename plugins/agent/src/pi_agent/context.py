"""The context a tool call runs in."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pi_api.events import ToolUpdate
from pi_api.messages import ToolCall
from pi_api.tool import ToolResult

from pi_agent.state import Batch

if TYPE_CHECKING:
    from pi_api.session import Session

S = TypeVar("S")


class CallContext:
    """One call's view of its session; partial results shown after the call has ended are not passed on."""

    __slots__ = ("_batch", "_call", "session")

    def __init__(self, session: "Session", call: ToolCall, batch: Batch) -> None:
        self.session = session
        self._call = call
        self._batch = batch

    @property
    def call_id(self) -> str:
        return self._call.id

    @property
    def cwd(self) -> Path:
        return self.session.cwd

    def state(self, kind: type[S]) -> S:
        return self.session.state(kind)

    async def update(self, partial: ToolResult) -> None:
        call, running = self._call, self._batch.running
        if any(self._batch.calls[at] is call for at in running):
            await self.session.bus.emit(ToolUpdate(call.id, call.name, call.arguments, partial))
