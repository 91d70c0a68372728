"""Resources and checks that plugins contribute as data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Resource:
    """A folder of skills (`<name>/SKILL.md`), prompts (`*.md`) or themes (`*.json`) inside an importable package."""

    kind: Literal["skill", "prompt", "theme"]
    package: str
    directory: str = "."

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.package}/{self.directory}"


@dataclass(frozen=True, slots=True)
class DoctorView:
    """What a check may look at."""

    env: Mapping[str, str]
    cwd: Path
    agent_dir: Path


@dataclass(frozen=True, slots=True)
class Finding:
    """A check's verdict: fine or not, what was seen, and, when not fine, what to do."""

    ok: bool
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One thing `pi doctor` looks at. Only a `required` one that is not fine makes it exit with 1."""

    name: str
    label: str
    check: Callable[[DoctorView], Finding]
    required: bool = False
