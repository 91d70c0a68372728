"""The settings of section `context`."""

from dataclasses import dataclass
from typing import Literal

from pi_api.settings import setting

Mode = Literal["inject", "list", "off"]


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """How much of a trusted project's instruction files and of the skills goes into the system prompt."""

    files: Mode = setting("inject", "a project's AGENTS.md and the like: inject their text, list their paths, or off")
    max_file_bytes: int = setting(65_536, "of each instruction file, at most this much", at_least=1024)
    max_skills: int = setting(100, "skills named in the system prompt, at most", at_least=0)
