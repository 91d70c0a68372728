"""Sections as plugins would own them."""

from collections.abc import Callable
from typing import Literal

from pi_api import SettingsSection
from pi_kernel import hookimpl
from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel


class Backoff(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    base_delay_ms: int = 2000
    factor: float = 2.0


class RetrySettings(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    enabled: bool = True
    max_retries: int = 3
    mode: Literal["slow", "fast"] = "slow"
    codes: list[int] = [429]
    backoff: Backoff = Backoff()
    api_key: int = 0


class RangeSettings(BaseModel):
    low: int = 0
    high: int = 10

    @model_validator(mode="after")
    def ordered(self) -> "RangeSettings":
        if self.low > self.high:
            raise ValueError("low must not exceed high")
        return self


class TopSettings(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")

    default_model: str = ""


class Owner:
    """A plugin that owns sections."""

    name = "owner"

    @hookimpl
    def pi_settings(self, register: Callable[[SettingsSection], None]) -> None:
        models = __name__
        env = (("PI_RETRIES", "maxRetries"), ("PI_RETRY_CODES", "codes"))
        register(SettingsSection("retry", f"{models}:RetrySettings", env=env))
        register(SettingsSection("range", f"{models}:RangeSettings"))
        register(SettingsSection("", f"{models}:TopSettings", env=(("PI_MODEL", "defaultModel"),)))
