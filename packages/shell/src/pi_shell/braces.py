"""Recognises the unquoted braces that bash would expand; they are refused, never passed on."""

from __future__ import annotations

import re

MARK = re.compile(r"[{},.]")
SEQUENCE = re.compile(r"(?:[+-]?\d+\.\.[+-]?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.[+-]?\d+)?", re.ASCII)
MAX_SEQUENCE = 64


class BraceDetector:
    """Fed with the unquoted text of one word, in order; `found` is the range of the first expansion.

    A list is `{`, then `,`, then `}`. Unbalanced braces (`{a,{b}`) count as one although bash leaves some of them
    alone; so do `{`, `.`, `}` around a quoted comma, of which bash removes the braces.
    """

    __slots__ = ("_comma", "_dot", "_first", "_last", "_searched", "_text", "found")

    def __init__(self, text: str) -> None:
        self._text = text
        self._first = self._last = self._searched = -1
        self._comma = self._dot = False
        self.found: tuple[int, int] | None = None

    def feed(self, start: int, end: int) -> None:
        """The unquoted text at `start:end`."""
        for match in MARK.finditer(self._text, start, end):
            position, mark = match.start(), match[0]
            if mark == "{":
                self._last = position
                if self._first < 0:
                    self._first = self._searched = position
            elif self._first < 0 or self.found is not None:
                continue
            elif mark == ",":
                self._comma = True
            elif mark == ".":
                self._dot = True
            else:
                self._close(position)

    def _close(self, position: int) -> None:
        if self._dot and not self._comma:
            self._comma = self._text.find(",", self._searched, position) >= 0
            self._searched = position
        if self._comma:
            self.found = (self._first, position + 1)
        elif position - self._last <= MAX_SEQUENCE:
            inside = self._text[self._last + 1 : position].replace("\\\n", "")
            if SEQUENCE.fullmatch(inside):
                self.found = (self._last, position + 1)
