"""What is found, and where it was looked for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["skill", "prompt", "theme"]
KINDS: tuple[Kind, ...] = ("skill", "prompt", "theme")


@dataclass(frozen=True, slots=True)
class Folder:
    """A place to look. `source` names it to people: command line, project, user, plugin NAME.

    With `loose` the Markdown files right in a folder of skills are skills too, and the folder may itself be a file.
    """

    path: Path
    source: str
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A skill, prompt or theme. A `hidden` skill is called by its own command only, never by the model."""

    kind: Kind
    name: str
    path: Path
    source: str
    description: str = ""
    hidden: bool = False
