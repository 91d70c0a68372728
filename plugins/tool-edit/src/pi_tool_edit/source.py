"""The text of a file as edits are matched against it: LF only, with the way back to the original."""

import re
from bisect import bisect_left
from functools import cached_property

from pi_tool_edit.fuzzy import Fuzzy

_NEWLINE = re.compile("\r?\n")


class Source:
    """A file's text without byte order mark; `lf` is the view in which spans are found."""

    def __init__(self, original: str) -> None:
        self.original = original
        self.lf = original.replace("\r\n", "\n")
        self._shifts: list[int] = []
        if len(self.lf) != len(original):
            crlf = (match.start() for match in re.finditer("\r\n", original))
            self._shifts = [position - index for index, position in enumerate(crlf)]

    @cached_property
    def newline(self) -> str:
        """The first line ending of the file; LF when it has none."""
        found = _NEWLINE.search(self.original)
        return found[0] if found else "\n"

    @cached_property
    def fuzzy(self) -> Fuzzy:
        """The view in which variants of quotes, dashes and spaces are one."""
        return Fuzzy(self.lf)

    def to_original(self, position: int) -> int:
        """Where a position of `lf` lies in the original."""
        return position + bisect_left(self._shifts, position)

    def line_of(self, position: int) -> int:
        """The number of the line, counted from 1, that holds a position of `lf`."""
        return self.lf.count("\n", 0, position) + 1


def with_lf(text: str) -> str:
    """Text from the model with LF alone."""
    return text.replace("\r\n", "\n")
