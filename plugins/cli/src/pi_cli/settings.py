"""Settings that choose a model; they stand at the top level under upstream's names."""

from dataclasses import dataclass

from pi_api.settings import setting


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """`defaultProvider`, `defaultModel`, `defaultThinkingLevel`."""

    default_provider: str = setting("", "provider of new sessions")
    default_model: str = setting("", "model of new sessions")
    default_thinking_level: str = setting("", "off, minimal, low, medium, high, xhigh, max or ultra")
