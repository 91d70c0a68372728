"""The provider `offline`: one model, streamed in small deltas like any other."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence

from pi_api.model import Model
from pi_api.provider import PayloadHook, Request, ResponseHook
from pi_api.stream import StreamEvent

from pi_provider_offline.streaming import Reply, stream_reply

MODEL = Model(
    id="offline",
    provider="offline",
    api="offline",
    name="Offline model",
    input=("text", "image"),
    context_window=1_000_000,
    max_tokens=64_000,
)


class OfflineProvider:
    """Understands plain requests, or plays a script of turns. Always available, deterministic, no network."""

    name = "offline"
    last_resort = True

    def __init__(self, env: Mapping[str, str] = os.environ) -> None:
        self._env = env

    def models(self) -> Sequence[Model]:
        return (MODEL,)

    def unavailable(self, env: Mapping[str, str]) -> str | None:
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
        from pi_provider_offline.conversation import next_move

        move = next_move(request.messages, frozenset(tool.name for tool in request.tools))
        if isinstance(move, str):
            return Reply(text=move)
        return Reply(text=move.saying, calls=tuple((call.tool, dict(call.arguments)) for call in move.calls))
