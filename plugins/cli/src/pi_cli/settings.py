"""Settings that choose a model; they stand at the top level under upstream's names."""

from pydantic import BaseModel, ConfigDict, Field


class ModelSettings(BaseModel):
    """`defaultProvider`, `defaultModel`, `defaultThinkingLevel`."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    default_provider: str = Field(default="", alias="defaultProvider", description="provider of new sessions")
    default_model: str = Field(default="", alias="defaultModel", description="model of new sessions")
    default_thinking_level: str = Field(
        default="", alias="defaultThinkingLevel", description="off, minimal, low, medium, high, xhigh, max or ultra"
    )
