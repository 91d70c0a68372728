"""Recognises the unquoted braces that bash would expand; they are refused, never passed on."""

from __future__ import annotations

import re

BRACE = re.compile(r"[{},]")
SEQUENCE = re.compile(r"(?:[+-]?\d+\.\.[+-]?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.[+-]?\d+)?", re.ASCII)
MAX_SEQUENCE = 64


class BraceDetector:
    """Fed with the unquoted text of one word, in order; `found` is the range of the first expansion."""

    __slots__ = ("_open", "_text", "found")

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[list[int]] = []
        self.found: tuple[int, int] | None = None

    def feed(self, start: int, end: int) -> None:
        """The unquoted text at `start:end`."""
        for match in BRACE.finditer(self._text, start, end):
            position = match.start()
            if match[0] == "{":
                self._open.append([position, False])
            elif match[0] == ",":
                if self._open:
                    self._open[-1][1] = True
            elif self._open:
                opened, has_comma = self._open.pop()
                if self.found is None and (has_comma or self._is_sequence(opened + 1, position)):
                    self.found = (opened, position + 1)

    def _is_sequence(self, start: int, end: int) -> bool:
        return end - start <= MAX_SEQUENCE and SEQUENCE.fullmatch(self._text, start, end) is not None
