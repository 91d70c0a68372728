"""The provider `offline`: one model, streamed in small deltas like any other."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api.errors import ErrorKind, PiError, ProviderFailure
from pi_api.messages import AssistantMessage
from pi_api.model import Model
from pi_api.provider import PayloadHook, Request, ResponseHook
from pi_api.stream import StreamEvent

from pi_provider_offline.streaming import Reply, stream_reply

if TYPE_CHECKING:
    from pi_provider_offline.script import Player

MODEL = Model(
    id="offline",
    provider="offline",
    api="offline",
    name="Offline model",
    context_window=1_000_000,
    max_tokens=64_000,
)


class OfflineProvider:
    """Understands plain requests, or plays a script of turns. Always available, deterministic, no network.

    A script is named by the option `script` or by `PI_OFFLINE_SCRIPT` in `env`, and read once.
    """

    name = "offline"
    last_resort = True
    secret_variables: tuple[str, ...] = ()

    def __init__(self, env: Mapping[str, str] = os.environ) -> None:
        self._env = env
        self._players: dict[str, Player] = {}

    def models(self) -> Sequence[Model]:
        """The one model."""
        return (MODEL,)

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        """Never."""
        return None

    async def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> AsyncIterator[StreamEvent]:
        """The hooks see what a provider on the network would show them: the payload, and status 200."""
        if on_payload is not None:
            await on_payload({"model": request.model.id, "messages": [one.to_json() for one in request.messages]})
        if on_response is not None:
            await on_response(200, {})
        async for event in stream_reply(request, self._reply(request)):
            yield event

    def _reply(self, request: Request) -> Reply:
        try:
            scripted = self._scripted(request)
        except PiError as error:
            return Reply(failure=ProviderFailure(ErrorKind.INVALID_REQUEST, str(error)))
        return scripted or understood(request)

    def _scripted(self, request: Request) -> Reply | None:
        path = str(request.options.get("script") or self._env.get("PI_OFFLINE_SCRIPT") or "")
        if not path:
            return None
        if path not in self._players:
            from pi_provider_offline.script import Player

            self._players[path] = Player(Path(path).expanduser())
        answers = sum(isinstance(message, AssistantMessage) for message in request.messages)
        return self._players[path].next_reply(request.session_id, answers)


def understood(request: Request) -> Reply:
    """The next move of the plan that the request asks for."""
    from pi_provider_offline.conversation import next_move

    move = next_move(request.messages, frozenset(tool.name for tool in request.tools))
    if isinstance(move, str):
        return Reply(text=move)
    return Reply(text=move.saying, calls=tuple((call.tool, dict(call.arguments)) for call in move.calls))
