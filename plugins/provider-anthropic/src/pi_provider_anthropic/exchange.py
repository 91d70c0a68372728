"""One request and its answer, from the payload to the stream's last event."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import AssistantMessage, ToolCall
from pi_api.provider import PayloadHook, Request, ResponseHook
from pi_api.stream import Done, Failed, Start, StreamEvent

from pi_provider_anthropic.assembly import Assembly
from pi_provider_anthropic.conditions import Conditions, conditions_from
from pi_provider_anthropic.credentials import MISSING, Credential, find_credential
from pi_provider_anthropic.failures import RequestFailedError, error_of, failed, response_failure
from pi_provider_anthropic.headers import headers_for
from pi_provider_anthropic.models import BASE_URL, priced
from pi_provider_anthropic.names import names_of
from pi_provider_anthropic.payload import build_payload
from pi_provider_anthropic.reading import LENGTHS, judge, read
from pi_provider_anthropic.transport import Answer, post
from pi_provider_anthropic.watchdog import Limits, Watchdog


class Exchange:
    """Everything about one request. `limits` replaces the settings' own; `now` gives seconds since 1970."""

    def __init__(
        self, request: Request, env: Mapping[str, str], limits: Limits | None, now: Callable[[], float]
    ) -> None:
        self._request = request
        self._env = env
        self._limits = limits
        self._now = now
        self._tools = names_of(tool.name for tool in request.tools)
        self._assembly = Assembly(self._tools.back)

    async def events(
        self, on_payload: PayloadHook | None, on_response: ResponseHook | None
    ) -> AsyncGenerator[StreamEvent, None]:
        """The whole stream; its last event is `Done` or `Failed`, whatever happens."""
        credential = find_credential(self._env, self._request.api_key)
        try:
            if credential is None:
                raise failed(ErrorKind.AUTH, MISSING)
            async with aclosing(self._answer(credential, on_payload, on_response)) as events:
                async for event in events:
                    yield event
            end: StreamEvent = Done(self._message())
        except RequestFailedError as error:
            end = self._failed(error.failure, credential)
        except Exception as error:  # the contract of streams: they never raise
            text = f"The request to Anthropic failed unexpectedly: {type(error).__name__}: {error}"
            end = self._failed(ProviderFailure(ErrorKind.UNKNOWN, text), credential)
        yield end

    async def _answer(
        self, credential: Credential, on_payload: PayloadHook | None, on_response: ResponseHook | None
    ) -> AsyncGenerator[StreamEvent, None]:
        request, conditions = self._request, self._conditions()
        payload = build_payload(request, self._tools, conditions.style)
        if on_payload is not None:
            payload = await on_payload(payload)
        url = self._url(conditions)
        watchdog = Watchdog(conditions.limits, asyncio.get_running_loop().time)
        async with post(url, headers_for(request, payload, credential), payload, watchdog) as answer:
            if on_response is not None:
                await on_response(answer.status, answer.headers)
            if answer.status != 200:
                raise response_failure(answer.status, answer.headers, await answer.text(), self._now())
            await refuse_other_than_events(answer)
            yield Start()
            async with aclosing(read(answer.chunks(), self._assembly, watchdog)) as events:
                async for event in events:
                    yield event
        judge(self._assembly)

    def _conditions(self) -> Conditions:
        options = self._request.options
        conditions = conditions_from(options) if options else Conditions()
        return replace(conditions, limits=self._limits) if self._limits else conditions

    def _url(self, conditions: Conditions) -> str:
        named = self._request.model.base_url
        own = named if named != BASE_URL else ""
        base = own or conditions.base_url or self._env.get("ANTHROPIC_BASE_URL", "").strip() or BASE_URL
        return base.rstrip("/").removesuffix("/v1") + "/v1/messages"

    def _message(self) -> AssistantMessage:
        request, assembly = self._request, self._assembly
        blocks, reason, answered_by = assembly.partial, assembly.stop_reason, assembly.response_model
        calls = any(isinstance(block, ToolCall) for block in blocks)
        return AssistantMessage(
            content=blocks,
            api=request.model.api,
            provider=request.model.provider,
            model=request.model.id,
            usage=priced(request.model, assembly.usage, assembly.hour_writes),
            stop_reason="length" if reason in LENGTHS else "toolUse" if calls else "stop",
            timestamp=int(self._now() * 1000),
            response_id=assembly.response_id,
            response_model=answered_by if answered_by != request.model.id else None,
            extra={"rawStopReason": reason} if reason else {},
        )

    def _failed(self, failure: ProviderFailure, credential: Credential | None) -> Failed:
        text = credential.redact(failure.message) if credential else failure.message
        told = replace(failure, message=text)
        message = replace(self._message(), stop_reason="error", error_message=text, error_kind=str(failure.kind))
        return Failed(message, told)


async def refuse_other_than_events(answer: Answer) -> None:
    """A page of some gateway on the way is no answer; servers that name no type are given the benefit of the doubt."""
    kind = answer.headers.get("content-type", "")
    if kind and "text/event-stream" not in kind.lower():
        _, beginning = error_of(await answer.text())
        text = f"What came is no event stream but {kind}: {beginning[:200]}. Check the base URL and any proxy."
        raise failed(ErrorKind.MALFORMED, text)
