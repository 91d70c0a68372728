"""Settings of this plugin."""

from pydantic import BaseModel, ConfigDict, Field


class EngineSettings(BaseModel):
    """Section `shellEngine`. `python`: the interpreter of the engine (see `interpreter.py`)."""

    model_config = ConfigDict(extra="forbid")

    python: str = Field(
        default="",
        description='runs the engine: "" for pi\'s own interpreter, "managed" for a Python 3.13 from uv, or a path',
    )
