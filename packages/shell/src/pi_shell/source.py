"""The text being parsed, and what all parts of one parse share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pi_shell.nodes import Span
from pi_shell.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell.grammar import Grammar
    from pi_shell.nodes import List

MAX_NESTING = 32
"""Levels of groups, loops, substitutions and `${…}` together; keeps recursion over a tree shallow."""

MAX_SUBSTITUTIONS = 8
"""Levels of command substitution, as the contract bounds them."""


class BodyParser(Protocol):
    """Parses the list from `position` to `closer` (`")"`, or `""` for the end of the text) that closes `opening`."""

    def __call__(self, source: Source, position: int, closer: str, opening: int) -> tuple[List, int]: ...


@dataclass(slots=True)
class Nesting:
    """How deep the parser stands; shared by every text of one parse."""

    levels: int = 0
    substitutions: int = 0

    def enter(self, span: Span, *, substitution: bool = False) -> None:
        """One level deeper; raises a `Refusal` at the limit. A refusal ends the parse, so nothing is undone on one."""
        self.levels += 1
        self.substitutions += substitution
        if self.substitutions > MAX_SUBSTITUTIONS:
            raise refuse("malformed-syntax", "substitution-depth", span, limit=MAX_SUBSTITUTIONS)
        if self.levels > MAX_NESTING:
            raise refuse("malformed-syntax", "nesting", span, limit=MAX_NESTING)

    def leave(self, *, substitution: bool = False) -> None:
        """One level up again."""
        self.levels -= 1
        self.substitutions -= substitution


@dataclass(frozen=True, slots=True)
class Source:
    """A text and where its characters stand in the source that the user wrote.

    `offsets[i]` is the offset of `text[i]`, with one more entry for the end: a `range` for the whole source and for
    plain parts of it, a list for the inside of backticks whose escapes were removed.
    """

    text: str
    offsets: Sequence[int]
    grammar: Grammar
    parse_body: BodyParser
    windows_paths: bool = False
    nesting: Nesting = field(default_factory=Nesting)

    def span(self, start: int, end: int) -> Span:
        """The span of `text[start:end]` in the user's source."""
        return Span(self.offsets[start], self.offsets[end])

    def inside(self, text: str, offsets: Sequence[int]) -> Source:
        """The source for the text of a backtick substitution."""
        return Source(text, offsets, self.grammar, self.parse_body, self.windows_paths, self.nesting)
