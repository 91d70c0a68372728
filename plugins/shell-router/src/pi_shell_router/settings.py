"""Settings of this plugin."""

from dataclasses import dataclass
from typing import Literal

from pi_api.settings import setting

Choice = Literal["auto", "contract", "posix"]


@dataclass(frozen=True, slots=True)
class ShellSettings:
    """Section `shell`."""

    tier: Choice = setting(
        "auto", "posix: a real bash; contract: pi's own shell; auto: contract on Windows, else posix"
    )
    search_guard: bool = setting(True, "refuse searches through a whole disk or home directory")


@dataclass(frozen=True, slots=True)
class WindowsShellSettings:
    """Section `windowsShell`. Without `pythonEngine` only the simple commands of the PowerShell floor run."""

    python_engine: bool = setting(True, "run pipelines, loops, redirection and expansion in the Python engine")
