"""The provider `anthropic`. What a request needs is loaded with the first one."""

import os
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pi_api.model import Model
from pi_api.provider import PayloadHook, Request, ResponseHook

from pi_provider_anthropic.credentials import KEY_VARIABLES, MISSING, find_credential
from pi_provider_anthropic.models import PROVIDER, models

if TYPE_CHECKING:
    from pi_api.stream import StreamEvent

    from pi_provider_anthropic.watchdog import Limits


class AnthropicProvider:
    """Anthropic's Messages API. `limits` replaces the idle limits of the settings; `now` is seconds since 1970."""

    name = PROVIDER
    last_resort = False
    secret_variables = KEY_VARIABLES

    def __init__(
        self,
        env: Mapping[str, str] = os.environ,
        *,
        limits: "Limits | None" = None,
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

    def stream(
        self, request: Request, *, on_payload: PayloadHook | None = None, on_response: ResponseHook | None = None
    ) -> "AsyncGenerator[StreamEvent, None]":
        """One answer. Cancelling the iteration, or leaving it, closes the connection."""
        from pi_provider_anthropic.exchange import Exchange

        return Exchange(request, self._env, self._limits, self._now).events(on_payload, on_response)
