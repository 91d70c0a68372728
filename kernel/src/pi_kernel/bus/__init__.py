"""A typed asynchronous event bus; how answers are folded is part of an event's type."""

from pi_kernel.bus.bus import Bus, HandlerFailure, Subscription
from pi_kernel.bus.events import (
    Block,
    Chain,
    Collect,
    Event,
    First,
    Gate,
    Given,
    Handled,
    Observe,
    Piped,
    Pipeline,
)

__all__ = [
    "Block",
    "Bus",
    "Chain",
    "Collect",
    "Event",
    "First",
    "Gate",
    "Given",
    "Handled",
    "HandlerFailure",
    "Observe",
    "Piped",
    "Pipeline",
    "Subscription",
]
