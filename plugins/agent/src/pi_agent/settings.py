"""The agent's settings; they stand at the top level, under upstream's names."""

from dataclasses import dataclass
from typing import Literal

from pi_api.settings import setting

Mode = Literal["one-at-a-time", "all"]
"""How many waiting messages are delivered at once."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`steeringMode`, `followUpMode`, `maxStallTurns`, `maxProviderTurns`."""

    steering_mode: Literal["one-at-a-time", "all"] = setting(
        "one-at-a-time", "how many waiting steering messages are delivered after a turn"
    )
    follow_up_mode: Literal["one-at-a-time", "all"] = setting(
        "one-at-a-time", "how many waiting follow-ups are delivered when a run would end"
    )
    max_stall_turns: int = setting(
        12, "equal tool calls within 48 turns after which a run is stopped; 0: never", at_least=0
    )
    max_provider_turns: int = setting(0, "requests after which a run is stopped; 0: never", at_least=0)
