"""Settings of this plugin."""

from pydantic import BaseModel, ConfigDict, Field


class SessionsSettings(BaseModel):
    """Section `sessions`. `dir`: the folder session files go to, instead of one per project under the agent folder."""

    model_config = ConfigDict(extra="forbid")

    dir: str = Field(default="", description="folder of session files; ~ is the home folder")
