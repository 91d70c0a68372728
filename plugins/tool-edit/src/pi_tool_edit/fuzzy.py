"""Texts that differ only in how quotes, dashes and spaces are typed, and where their parts came from.

NFKC (Unicode annex 15), trailing blanks of lines dropped, then quotes, dashes and spaces reduced to ASCII.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from functools import cache

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", " "),
        **dict.fromkeys("\u202f\u205f\u3000", " "),
    }
)
_LINE = re.compile("[^\n]*\n?")


class Fuzzy:
    """The reduced form of a text. `find` gives spans of the text itself."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._starts = array("q")
        self._ends = array("q")
        pieces: list[str] = []
        position = 0
        for line in _LINE.findall(text):
            body = line.removesuffix("\n")
            pieces.append(self._reduce(body, position))
            position += len(body)
            if len(line) > len(body):
                pieces.append("\n")
                self._add(position, position + 1)
                position += 1
        self.text = "".join(pieces)

    def find(self, wanted: str) -> list[tuple[int, int]]:
        """Every place, overlapping ones too, where a text stands in reduced form, as (start, end) in the original.

        A place that would cut a character's expansion in two is none. When the last line of `wanted` ends in blanks, it
        matches ends of lines only, blanks of the original included.
        """
        pattern = reduce(wanted)
        blank_end = wanted[-1:] not in ("", "\n") and wanted[-1].isspace()
        if not pattern.strip():
            return []
        found = []
        at = self.text.find(pattern)
        while at >= 0:
            span = self._span(at, at + len(pattern), to_line_end=blank_end)
            if span is not None:
                found.append(span)
            at = self.text.find(pattern, at + 1)
        return found

    def _span(self, start: int, end: int, *, to_line_end: bool) -> tuple[int, int] | None:
        if start and self._starts[start] == self._starts[start - 1]:
            return None
        if end < len(self.text) and self._starts[end] == self._starts[end - 1]:
            return None
        if not to_line_end:
            return self._starts[start], self._ends[end - 1]
        if end < len(self.text) and self.text[end] != "\n":
            return None
        return self._starts[start], self._starts[end] if end < len(self.text) else len(self._original)

    def _reduce(self, body: str, position: int) -> str:
        if body.isascii():
            kept = body.rstrip()
            self._starts.extend(range(position, position + len(kept)))
            self._ends.extend(range(position + 1, position + len(kept) + 1))
            return kept
        pieces: list[tuple[str, int, int]] = []
        for cluster in clusters(body):
            reduced = unicodedata.normalize("NFKC", cluster).translate(_PLAIN)
            pieces += [(char, position, position + len(cluster)) for char in reduced]
            position += len(cluster)
        while pieces and pieces[-1][0].isspace():
            pieces.pop()
        for _, start, end in pieces:
            self._add(start, end)
        return "".join(char for char, _, _ in pieces)

    def _add(self, start: int, end: int) -> None:
        self._starts.append(start)
        self._ends.append(end)


def reduce(text: str) -> str:
    """The reduced form of a text by itself."""
    normal = unicodedata.normalize("NFKC", text)
    return "\n".join(line.rstrip() for line in normal.split("\n")).translate(_PLAIN)


def clusters(text: str) -> Iterator[str]:
    """Pieces that normalise independently of each other: a starter with what may combine with it."""
    start = 0
    for index in range(1, len(text)):
        char = text[index]
        if char < "\u0300" or not (unicodedata.combining(char) or char in _composing()):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


@cache
def _composing() -> frozenset[str]:
    """Starters that can merge with the character before them: vowel signs, and vowels and finals of Hangul."""
    found = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(0x300, 0x1E000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            found.add(chr(int(parts[1], 16)))
    return frozenset(found)
