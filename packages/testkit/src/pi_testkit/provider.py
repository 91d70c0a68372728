"""A provider that says what a script tells it to, chunk by chunk, without a network."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import Text, Thinking, ToolCall
from pi_api.model import Model, ThinkingLevel
from pi_api.provider import PayloadHook, Request, ResponseHook
from pi_api.stream import (
    Delta,
    Done,
    Failed,
    Start,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ThinkingEnd,
    ThinkingStart,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)

from pi_testkit.answers import Answer
from pi_testkit.script import Call, Emit, End, Fail, Hold, Raise, Say, Think, Turn

FAKE_MODEL = Model("fake-1", "fake", "fake", "Fake 1", reasoning=True, input=("text", "image"))

Script = Sequence[Turn | str | Callable[[Request], Turn | str]]


class FakeProvider:
    """A `Provider` that answers each request with the next turn of its script.

    A turn may be a string, or a function of the request. Text comes in deltas of `chunk` characters. `requests` and
    `payloads` are what it was asked, `open` counts the streams under way, `cancelled` those that were cut short.
    """

    def __init__(self, script: Script = (), *, model: Model = FAKE_MODEL, chunk: int = 8, name: str = "") -> None:
        self.script = list(script)
        self.model = model
        self.chunk = chunk
        self.name = name or model.provider
        self.last_resort = False
        self.secret_variables: tuple[str, ...] = ()
        self.requests: list[Request] = []
        self.payloads: list[dict[str, Any]] = []
        self.open = 0
        self.cancelled = 0
        self._calls = 0

    def models(self) -> Sequence[Model]:
        return (self.model,)

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return None

    async def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> AsyncIterator[StreamEvent]:
        """The next turn as stream events."""
        turn = self._next(request)
        self.open += 1
        finished = False
        try:
            payload = _payload(request)
            self.payloads.append(await on_payload(payload) if on_payload else payload)
            if on_response:
                await on_response(200, {"content-type": "application/x-fake"})
            async for event in self._play(turn, Answer(request.model, usage=turn.usage)):
                finished = isinstance(event, Done | Failed)
                yield event
            finished = True
        finally:
            self.open -= 1
            self.cancelled += not finished

    def _next(self, request: Request) -> Turn:
        self.requests.append(request)
        if not self.script:
            text = f"the script of {self.name!r} has no turn for request {len(self.requests)}; add one"
            return Turn(Fail(ErrorKind.INVALID_REQUEST, text))
        step = self.script.pop(0)
        turn = step(request) if callable(step) else step
        return Turn(turn) if isinstance(turn, str) else turn

    async def _play(self, turn: Turn, answer: Answer) -> AsyncIterator[StreamEvent]:
        yield Start()
        for step in turn.steps:
            match step:
                case Hold():
                    step.reached.set()
                    await step.release.wait()
                case Fail(kind, message, status, retry_after):
                    failed = answer.message(
                        "aborted" if kind is ErrorKind.ABORTED else "error",
                        error_message=message,
                        error_kind=str(kind),
                    )
                    yield Failed(failed, ProviderFailure(kind, message, status, retry_after))
                    return
                case Raise(error):
                    raise error
                case End():
                    return
                case Emit(value):
                    yield value  # type: ignore[misc]
                case _:
                    for event in self._block(step, answer):
                        yield event
        yield Done(answer.message(turn.stop))

    def _block(self, step: Say | Think | Call, answer: Answer) -> Iterator[Delta]:
        at = len(answer.content)
        match step:
            case Say(text, signature):
                yield TextStart(at)
                yield from (TextDelta(at, piece) for piece in self._pieces(text))
                answer.content.append(Text(text, signature))
                yield TextEnd(at, text)
            case Think(text, signature, redacted):
                yield ThinkingStart(at)
                yield from (ThinkingDelta(at, piece) for piece in self._pieces(text))
                answer.content.append(Thinking(text, signature, redacted))
                yield ThinkingEnd(at, text)
            case Call(tool, arguments, call_id):
                call = ToolCall(call_id or self._call_id(), tool, dict(arguments))
                yield ToolCallStart(at, call.id, tool)
                yield from (ToolCallDelta(at, piece) for piece in self._pieces(json.dumps(call.arguments)))
                answer.content.append(call)
                yield ToolCallEnd(at, call)

    def _pieces(self, text: str) -> Iterator[str]:
        return (text[start : start + self.chunk] for start in range(0, len(text), self.chunk))

    def _call_id(self) -> str:
        self._calls += 1
        return f"call-{self._calls}"


def _payload(request: Request) -> dict[str, Any]:
    """A request in the shape that payload hooks see; of the messages only their number and the last one."""
    return {
        "model": request.model.id,
        "system": request.system_prompt,
        "messages": len(request.messages),
        "last": request.messages[-1].to_json() if request.messages else None,
        "tools": [tool.name for tool in request.tools],
        "thinking": str(request.thinking or ThinkingLevel.OFF),
    }
