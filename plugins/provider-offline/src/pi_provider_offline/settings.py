"""The settings section `offline`."""

from pydantic import BaseModel, ConfigDict, Field


class OfflineSettings(BaseModel):
    """`script`: a JSON file of turns to play (see `script.schema.json`); without one requests are understood."""

    model_config = ConfigDict(extra="forbid")

    script: str | None = Field(
        default=None, description="path of a JSON script of turns; relative to the process's directory"
    )
