"""The settings section `anthropic`."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True, frozen=True)


class StallSettings(_Section):
    """How long, in milliseconds, a request may be silent in each of its phases before it counts as stalled."""

    connect_ms: int = Field(default=120_000, gt=0, description="until the response begins")
    first_delta_ms: int = Field(default=120_000, gt=0, description="from there until the first content")
    active_idle_ms: int = Field(default=180_000, gt=0, description="between pieces of text or of a tool call")
    quiet_idle_ms: int = Field(default=600_000, gt=0, description="between pieces while the model thinks")


class BudgetSettings(_Section):
    """Thinking tokens by level, for models that take a budget instead of an effort."""

    minimal: int = Field(default=1_024, ge=1_024)
    low: int = Field(default=2_048, ge=1_024)
    medium: int = Field(default=8_192, ge=1_024)
    high: int = Field(default=16_384, ge=1_024)


class AnthropicSettings(_Section):
    """Everything about requests to Anthropic that can be set."""

    base_url: str | None = Field(default=None, description="replaces https://api.anthropic.com")
    stall: StallSettings = Field(default=StallSettings(), description="how long a request may be silent")
    thinking_budgets: BudgetSettings = Field(default=BudgetSettings(), description="thinking tokens by level")
    thinking_display: Literal["summarized", "omitted"] = Field(
        default="summarized", description="whether thinking is shown in summary or withheld"
    )
