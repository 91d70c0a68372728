"""What a word needs to be expanded, worked out once and kept for as long as its command line runs."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from pi_shell import constant
from pi_shell.nodes import DoubleQuoted, Parameter

if TYPE_CHECKING:
    from pi_shell.nodes import Word


class Need(IntEnum):
    """How much there is to do for a word."""

    NOTHING = 0
    """It always stands for the same text."""
    VALUE = 1
    """It is `$name` alone: the value of a variable, split and a pattern."""
    QUOTED_VALUE = 2
    """It is `"$name"` alone: the value as it is."""
    EVERYTHING = 3


class Plan(NamedTuple):
    """`text` is the word's text, or the name of its variable."""

    need: Need
    text: str


def plan(word: Word) -> Plan:
    """What expanding `word` takes."""
    text = constant(word)
    if text is not None:
        return Plan(Need.NOTHING, text)
    if len(word.segments) == 1:
        segment = word.segments[0]
        if isinstance(segment, Parameter) and segment.operator is None:
            return Plan(Need.VALUE, segment.name)
        if isinstance(segment, DoubleQuoted) and len(segment.segments) == 1:
            inner = segment.segments[0]
            if isinstance(inner, Parameter) and inner.operator is None:
                return Plan(Need.QUOTED_VALUE, inner.name)
    return Plan(Need.EVERYTHING, "")
