"""Settings of this plugin."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Choice = Literal["auto", "contract", "posix"]


class ShellSettings(BaseModel):
    """Section `shell`."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    tier: Choice = Field(
        default="auto",
        description="posix: a real bash; contract: pi's own shell; auto: contract on Windows, else posix",
    )
    search_guard: bool = Field(
        default=True, alias="searchGuard", description="refuse searches through a whole disk or home directory"
    )


class WindowsShellSettings(BaseModel):
    """Section `windowsShell`. Without `pythonEngine` only the simple commands of the PowerShell floor run."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    python_engine: bool = Field(
        default=True,
        alias="pythonEngine",
        description="run pipelines, loops, redirection and expansion in the Python engine",
    )
