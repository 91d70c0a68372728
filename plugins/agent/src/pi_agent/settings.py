"""The agent's settings; they stand at the top level, under upstream's names."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Mode = Literal["one-at-a-time", "all"]


class AgentSettings(BaseModel):
    """`steeringMode`, `followUpMode`, `maxStallTurns`, `maxProviderTurns`."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    steering_mode: Mode = Field(
        default="one-at-a-time",
        alias="steeringMode",
        description="how many waiting steering messages are delivered after a turn",
    )
    follow_up_mode: Mode = Field(
        default="one-at-a-time",
        alias="followUpMode",
        description="how many waiting follow-ups are delivered when a run would end",
    )
    max_stall_turns: int = Field(
        default=12,
        ge=0,
        alias="maxStallTurns",
        description="equal tool calls within 48 turns after which a run is stopped; 0: never",
    )
    max_provider_turns: int = Field(
        default=0,
        ge=0,
        alias="maxProviderTurns",
        description="requests after which a run is stopped; 0: never",
    )
