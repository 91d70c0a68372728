"""The provider `anthropic`."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import AssistantMessage, ToolCall
from pi_api.model import Model
from pi_api.provider import PayloadHook, Request, ResponseHook
from pi_api.stream import Done, Failed, Start, StreamEvent

from pi_provider_anthropic.assembly import Assembly
from pi_provider_anthropic.conditions import Conditions, conditions_from
from pi_provider_anthropic.credentials import KEY_VARIABLES, MISSING, OAUTH_BETA, Credential, find_credential
from pi_provider_anthropic.failures import RequestFailedError, error_of, failed, response_failure
from pi_provider_anthropic.models import BASE_URL, PROVIDER, models, priced
from pi_provider_anthropic.names import names_of
from pi_provider_anthropic.payload import build_payload
from pi_provider_anthropic.reading import LENGTHS, judge, read
from pi_provider_anthropic.watchdog import Limits, Watchdog

if TYPE_CHECKING:
    from pi_provider_anthropic.transport import Answer

API_VERSION = "2023-06-01"
INTERLEAVED_BETA = "interleaved-thinking-2025-05-14"


class AnthropicProvider:
    """Anthropic's Messages API. `limits` replaces the idle limits of the settings; `now` is seconds since 1970."""

    name = PROVIDER
    last_resort = False
    secret_variables = KEY_VARIABLES

    def __init__(
        self,
        env: Mapping[str, str] = os.environ,
        *,
        limits: Limits | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._env = env
        self._limits = limits
        self._now = now

    def models(self) -> Sequence[Model]:
        """The models of the table that ships with this package."""
        return models()

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        """Without a key nothing can be asked."""
        return None if find_credential(env) else MISSING

    async def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        """One answer. Cancelling the iteration, or leaving it, closes the connection."""
        assembly = Assembly()
        credential = find_credential(self._env, request.api_key)
        redact = credential.redact if credential else str
        try:
            if credential is None:
                raise failed(ErrorKind.AUTH, MISSING)
            async with aclosing(self._answer(request, assembly, credential, on_payload, on_response)) as events:
                async for event in events:
                    yield event
            end: StreamEvent = Done(self._message(request, assembly))
        except RequestFailedError as error:
            end = self._failed(request, assembly, error.failure, redact)
        except Exception as error:  # the contract of streams: they never raise
            text = f"The request to Anthropic failed unexpectedly: {type(error).__name__}: {error}"
            end = self._failed(request, assembly, ProviderFailure(ErrorKind.UNKNOWN, text), redact)
        yield end

    async def _answer(
        self,
        request: Request,
        assembly: Assembly,
        credential: Credential,
        on_payload: PayloadHook | None,
        on_response: ResponseHook | None,
    ) -> AsyncGenerator[StreamEvent, None]:
        from pi_provider_anthropic.transport import post

        conditions = self._conditions(request)
        tools = names_of(tool.name for tool in request.tools)
        payload = build_payload(request, tools, conditions.style)
        if on_payload is not None:
            payload = await on_payload(payload)
        url = self._url(request.model, conditions)
        watchdog = Watchdog(conditions.limits, asyncio.get_running_loop().time)
        async with post(url, headers_for(request, payload, credential), payload, watchdog) as answer:
            if on_response is not None:
                await on_response(answer.status, answer.headers)
            if answer.status != 200:
                raise response_failure(answer.status, answer.headers, await answer.text(), self._now())
            await refuse_other_than_events(answer)
            yield Start()
            async with aclosing(read(answer.chunks(), assembly, watchdog, tools)) as events:
                async for event in events:
                    yield event
        judge(assembly)

    def _conditions(self, request: Request) -> Conditions:
        conditions = conditions_from(request.options) if request.options else Conditions()
        return replace(conditions, limits=self._limits) if self._limits else conditions

    def _url(self, model: Model, conditions: Conditions) -> str:
        own = model.base_url if model.base_url != BASE_URL else ""
        base = own or conditions.base_url or self._env.get("ANTHROPIC_BASE_URL", "").strip() or BASE_URL
        return base.rstrip("/").removesuffix("/v1") + "/v1/messages"

    def _message(self, request: Request, assembly: Assembly) -> AssistantMessage:
        blocks = assembly.partial
        calls = any(isinstance(block, ToolCall) for block in blocks)
        reason = assembly.stop_reason
        answered_by = assembly.response_model
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

    def _failed(
        self, request: Request, assembly: Assembly, failure: ProviderFailure, redact: Callable[[str], str]
    ) -> Failed:
        failure = replace(failure, message=redact(failure.message))
        message = replace(
            self._message(request, assembly),
            stop_reason="error",
            error_message=failure.message,
            error_kind=str(failure.kind),
        )
        return Failed(message, failure)


async def refuse_other_than_events(answer: "Answer") -> None:
    """A page of some gateway on the way is no answer; servers that name no type are given the benefit of the doubt."""
    kind = answer.headers.get("content-type", "")
    if kind and "text/event-stream" not in kind.lower():
        _, beginning = error_of(await answer.text())
        text = f"What came is no event stream but {kind}: {beginning[:200]}. Check the base URL and any proxy."
        raise failed(ErrorKind.MALFORMED, text)


def headers_for(request: Request, payload: Mapping[str, Any], credential: Credential) -> dict[str, str]:
    """The headers: the model's and the request's own win over ours, the key over all."""
    betas = [OAUTH_BETA] if credential.oauth else []
    if payload.get("thinking", {}).get("type") == "enabled" and payload.get("tools"):
        betas.append(INTERLEAVED_BETA)
    headers = {
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "anthropic-version": API_VERSION,
        "content-type": "application/json",
        "user-agent": "pi",
        **({"anthropic-beta": ",".join(betas)} if betas else {}),
    }
    for given in (request.model.headers, request.headers):
        headers.update({name.lower(): value for name, value in given.items()})
    return {**headers, **credential.headers}
