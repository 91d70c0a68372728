"""What settings and environment say about requests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pi_api.errors import ErrorKind

from pi_provider_anthropic.failures import failed
from pi_provider_anthropic.payload import Style
from pi_provider_anthropic.watchdog import Limits


@dataclass(frozen=True, slots=True)
class Conditions:
    """Where requests go, how long they may be silent, and how they ask for thinking."""

    base_url: str | None = None
    limits: Limits = field(default_factory=Limits)
    style: Style = field(default_factory=Style)


def conditions_from(options: Mapping[str, Any]) -> Conditions:
    """The settings section, read; a wrong one is a failure that says where."""
    base_url = options.get("baseUrl")
    if not options.keys() - {"baseUrl"} and (base_url is None or isinstance(base_url, str)):
        # The address is all that the environment sets: pydantic would cost more than the rest of the request.
        return Conditions(base_url)
    from pydantic import ValidationError

    from pi_provider_anthropic.settings import AnthropicSettings

    try:
        settings = AnthropicSettings.model_validate(dict(options))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise failed(ErrorKind.INVALID_REQUEST, f"The settings of `anthropic` are wrong: {wrong}.") from error
    stall = settings.stall
    return Conditions(
        base_url=settings.base_url,
        limits=Limits(
            connect=stall.connect_ms / 1000,
            first=stall.first_delta_ms / 1000,
            active=stall.active_idle_ms / 1000,
            quiet=stall.quiet_idle_ms / 1000,
        ),
        style=Style(settings.thinking_budgets.model_dump(), settings.thinking_display),
    )
