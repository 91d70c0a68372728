"""From the body of an answer to events, and the verdict on what came."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pi_api.errors import ErrorKind
from pi_api.stream import StreamEvent

from pi_provider_anthropic.assembly import Assembly, parse_event
from pi_provider_anthropic.failures import event_failure, failed
from pi_provider_anthropic.sse import Decoder, LineTooLongError
from pi_provider_anthropic.watchdog import Watchdog

REFUSALS = ("refusal", "sensitive")
LENGTHS = ("max_tokens", "model_context_window_exceeded")
"""Stop reasons of answers that are cut for want of room."""


async def read(
    body: AsyncGenerator[bytes, None], assembly: Assembly, watchdog: Watchdog
) -> AsyncGenerator[StreamEvent, None]:
    """The events of an answer's body, until it says that it is complete or ends."""
    decoder = Decoder()
    async with aclosing(body) as chunks:
        async for chunk in chunks:
            try:
                received = list(decoder.feed(chunk))
            except LineTooLongError as error:
                raise failed(ErrorKind.MALFORMED, f"Anthropic sent {error}.") from error
            for one in received:
                if one.name == "error":
                    raise event_failure(one.data)
                event = parse_event(one.data)
                if event["type"] == "error":
                    raise event_failure(one.data)
                for delta in assembly.take(event):
                    yield delta
                if event["type"].startswith("content_block"):
                    watchdog.alive(assembly.phase)
            if assembly.finished:
                break
    if assembly.stop_reason is not None:
        for delta in assembly.close():
            yield delta


def judge(assembly: Assembly) -> None:
    """Raise a failure when what came is no complete answer."""
    reason = assembly.stop_reason
    if reason is None:
        raise failed(ErrorKind.NETWORK, "The connection ended before the answer was complete.")
    if reason in REFUSALS:
        said = assembly.stop_text or "it gave no reason."
        raise failed(ErrorKind.INVALID_REQUEST, f"The model refused to answer ({reason}): {said} Ask differently.")
    if assembly.broken and reason not in LENGTHS:
        raise failed(
            ErrorKind.MALFORMED, f"The arguments of the model's call of {assembly.broken!r} are no JSON object."
        )
    if reason == "model_context_window_exceeded" and not assembly.blocks:
        raise failed(ErrorKind.CONTEXT_OVERFLOW, "The conversation fills the model's whole context window.")
