"""Settings of this plugin."""

from pydantic import BaseModel, ConfigDict, Field


class BashSettings(BaseModel):
    """Section `bash`. `timeout`: seconds a command may take when the model names no limit; 0 means none."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    timeout: float = Field(default=120.0, ge=0, description="seconds a command may take by default; 0: no limit")
    pass_secrets: bool = Field(
        default=False, alias="passSecrets", description="let commands see the keys of model providers"
    )
