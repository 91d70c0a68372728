"""Tokens and money of one model answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pi_api.codec import Record


@dataclass(frozen=True, slots=True)
class Cost(Record):
    """US dollars."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    total: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage(Record):
    """Tokens; `input` excludes those read from or written to the provider's cache."""

    NESTED: ClassVar = {"cost": Cost.from_json}

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total_tokens: int = 0
    cost: Cost = field(default_factory=Cost)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __add__(self, other: "Usage") -> "Usage":
        mine, theirs = self.cost, other.cost
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.total_tokens + other.total_tokens,
            Cost(
                mine.input + theirs.input,
                mine.output + theirs.output,
                mine.cache_read + theirs.cache_read,
                mine.cache_write + theirs.cache_write,
                mine.total + theirs.total,
            ),
        )
