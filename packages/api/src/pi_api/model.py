"""Models, as tables describe them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from pi_api.codec import Record
from pi_api.usage import Cost, Usage


class ThinkingLevel(StrEnum):
    """How much a model reasons before it answers, from least to most."""

    OFF = "off"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"
    ULTRA = "ultra"

    @property
    def rank(self) -> int:
        return list(type(self)).index(self)


@dataclass(frozen=True, slots=True)
class Prices(Record):
    """US dollars per million tokens."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Model(Record):
    """One model of one provider.

    `input` lists `text` and `image`; `context_window` and `max_tokens` are tokens; `thinking_level_map` maps a level to
    what the provider calls it, or to `None` when the model lacks it (levels above `high` exist only when mapped).
    """

    NESTED: ClassVar = {"cost": Prices.from_json, "input": tuple}

    id: str
    provider: str
    api: str
    name: str = ""
    base_url: str = ""
    reasoning: bool = False
    input: tuple[str, ...] = ("text",)
    context_window: int = 128_000
    max_tokens: int = 16_384
    cost: Prices = field(default_factory=Prices)
    thinking_level_map: Mapping[str, str | None] = field(default_factory=dict)
    default_thinking_level: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    compat: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """`provider/id`, which names the model without doubt."""
        return f"{self.provider}/{self.id}"

    @property
    def thinking_levels(self) -> tuple[ThinkingLevel, ...]:
        """The levels the model has; only `off` when it does not reason."""
        if not self.reasoning:
            return (ThinkingLevel.OFF,)
        mapped = self.thinking_level_map
        default = {level: level.rank <= ThinkingLevel.HIGH.rank for level in ThinkingLevel}
        return tuple(
            level for level in ThinkingLevel if (mapped[level] is not None if level in mapped else default[level])
        )

    def clamp(self, level: ThinkingLevel) -> ThinkingLevel:
        """The nearest level the model has: upwards first, then downwards."""
        levels = self.thinking_levels
        above = [one for one in levels if one.rank >= level.rank]
        return above[0] if above else levels[-1]

    def price(self, usage: Usage) -> Usage:
        """The usage with its cost filled in from this model's prices."""
        rates = self.cost
        parts = (
            usage.input * rates.input / 1e6,
            usage.output * rates.output / 1e6,
            usage.cache_read * rates.cache_read / 1e6,
            usage.cache_write * rates.cache_write / 1e6,
        )
        return Usage(
            usage.input, usage.output, usage.cache_read, usage.cache_write, usage.total_tokens,
            Cost(*parts, total=sum(parts)), usage.extra,
        )  # fmt: skip
