"""The settings of section `context`."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Mode = Literal["inject", "list", "off"]


class ContextSettings(BaseModel):
    """How much of a trusted project's instruction files and of the skills goes into the system prompt."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    files: Mode = Field(
        default="inject", description="a project's AGENTS.md and the like: inject their text, list their paths, or off"
    )
    max_file_bytes: int = Field(default=65_536, ge=1024, description="of each instruction file, at most this much")
    max_skills: int = Field(default=100, ge=0, description="skills named in the system prompt, at most")
