"""What is searched for, and what is found: plain values."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from pi_api.tool import ToolError
from pi_files.glob import path_matcher

_NEWLINE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\n")


class BadPattern(ToolError):
    """The pattern cannot be searched for."""


@dataclass(frozen=True, slots=True)
class Query:
    """One search. `context` counts lines on either side, `limit` matching lines in all."""

    pattern: str
    glob: str = ""
    ignore_case: bool = False
    literal: bool = False
    context: int = 0
    limit: int = 100

    def __post_init__(self) -> None:
        if "\n" in self.pattern or (not self.literal and _NEWLINE_ESCAPE.search(self.pattern)):
            raise BadPattern("the pattern contains a line break, but lines are searched singly; search for one line")

    def accepts(self) -> Callable[[str], bool]:
        """A test of paths relative to the directory searched."""
        return path_matcher(self.glob) if self.glob else lambda path: True


@dataclass(frozen=True, slots=True)
class Scope:
    """Where: below the directory `root`, or only in the file `name` in it."""

    root: PurePath
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line shown: matching, or context; `focus` is the character at which the first match begins."""

    number: int
    text: str
    matches: bool
    focus: int = 0


@dataclass(frozen=True, slots=True)
class FileMatches:
    """What a file has, in the order of its lines; `path` is relative to the root, with `/`."""

    path: str
    lines: list[Line]


class Collector:
    """Takes files until the limit of matching lines is reached."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self.files: list[FileMatches] = []
        self.matches = 0
        self.limited = False

    @property
    def room(self) -> int:
        """How many more matching lines will be taken."""
        return self._query.limit - self.matches

    def add(self, path: str, lines: list[Line]) -> None:
        """Take the lines of a file; behind the last match that fits, only its own context."""
        kept: list[Line] = []
        last: int | None = None
        for line in lines:
            if line.matches:
                if self.room == 0:
                    self.limited = True
                    break
                self.matches += 1
                last = line.number
            kept.append(line)
        if self.limited:
            end = (last or 0) + self._query.context
            kept = [line for line in kept if line.number <= end]
        if any(line.matches for line in kept):
            self.files.append(FileMatches(path, kept))
