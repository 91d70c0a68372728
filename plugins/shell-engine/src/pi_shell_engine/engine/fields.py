"""Field splitting: from the parts of an expanded word to the words a command gets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pi_shell_engine.engine.environment import DEFAULT_IFS

MAGIC = re.compile(r"[*?\[]")
DEFAULT_PARTS = re.compile(r"[^ \t\n]+")


class Piece(NamedTuple):
    """Some text of a field, and whether quotes keep it from being a pattern."""

    text: str
    quoted: bool


class Field(list[Piece]):
    """One word after splitting, in pieces."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The word as it is when it does not expand as a pattern."""
        return "".join([piece.text for piece in self])

    @property
    def is_pattern(self) -> bool:
        """Whether pathname expansion has to look at it."""
        return any(not piece.quoted and MAGIC.search(piece.text) for piece in self)


class Splitter:
    """Collects the parts of one word; text from expansions is split at the characters of `ifs`."""

    __slots__ = ("_current", "_fields", "_ifs")

    def __init__(self, ifs: str) -> None:
        self._ifs = ifs
        self._fields: list[Field] = []
        self._current: Field | None = None

    def text(self, text: str, *, quoted: bool) -> None:
        """Text that belongs to the current field whatever is in it."""
        if self._current is None:
            self._current = Field()
        self._current.append(Piece(text, quoted))

    def split(self, text: str) -> None:
        """The unquoted result of an expansion."""
        if not text:
            return
        if self._ifs != DEFAULT_IFS:
            self._split_at(text)
            return
        if text[0] in DEFAULT_IFS:
            self._close()
        parts = DEFAULT_PARTS.findall(text)
        for index, part in enumerate(parts):
            if index:
                self._close()
            self.text(part, quoted=False)
        if text[-1] in DEFAULT_IFS:
            self._close()

    def finish(self) -> list[Field]:
        """All fields."""
        self._close()
        return self._fields

    def _close(self, *, even_empty: bool = False) -> None:
        if self._current is not None or even_empty:
            self._fields.append(self._current if self._current is not None else Field())
            self._current = None

    def _split_at(self, text: str) -> None:
        if not self._ifs:
            self.text(text, quoted=False)
            return
        delimiter, hard = _delimiters(self._ifs)
        position = 0
        for match in delimiter.finditer(text):
            if match.start() > position:
                self.text(text[position : match.start()], quoted=False)
            self._close(even_empty=bool(hard and hard.search(match[0])))
            position = match.end()
        if position < len(text):
            self.text(text[position:], quoted=False)


@lru_cache(maxsize=16)
def _delimiters(ifs: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """A pattern for one delimiter, and one for its character that is not blank (each such one ends a field)."""
    blanks = "".join(char for char in ifs if char in DEFAULT_IFS)
    others = "".join(char for char in ifs if char not in DEFAULT_IFS)
    blank = f"[{re.escape(blanks)}]" if blanks else "(?!)"
    if not others:
        return re.compile(f"{blank}+"), None
    other = f"[{re.escape(others)}]"
    return re.compile(f"{blank}*{other}{blank}*|{blank}+"), re.compile(other)
