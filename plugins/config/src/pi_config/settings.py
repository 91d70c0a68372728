"""The settings that `pi config enable` and `disable` write."""

from pydantic import BaseModel, ConfigDict, Field


class PluginSwitches(BaseModel):
    """Section `plugins`; the kernel reads it too, before any plugin is loaded."""

    model_config = ConfigDict(extra="forbid")

    disabled: list[str] = Field(default=[], description="plugins switched off, by name")


class ResourceSwitches(BaseModel):
    """Section `disabledResources`: names, paths or globs of what is switched off."""

    model_config = ConfigDict(extra="forbid")

    skills: list[str] = Field(default=[], description="skills switched off")
    prompts: list[str] = Field(default=[], description="prompts switched off")
    themes: list[str] = Field(default=[], description="themes switched off")
