"""What can be told of a pattern from Python's own reading of it, so that whole blocks can be searched at once."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pi_shell_engine.builtins.dialect import compiled


@dataclass(frozen=True, slots=True)
class InLines:
    """A pattern that cannot match a line end: by itself, and as group 1 before the rest of its line."""

    alone: re.Pattern[bytes]
    line: re.Pattern[bytes]


@lru_cache(maxsize=64)
def in_lines(pattern: re.Pattern[bytes]) -> InLines | None:
    """The pattern for whole blocks of lines, with classes that contain the line end written without it.

    Nothing when a match could reach over a line end all the same, looks around itself or back at a group.
    """
    parts: list[bytes] = []
    for found in _SAFE_TOKEN.finditer(pattern.pattern):
        token = found[0]
        if token in _LINELESS:
            token = _LINELESS[token]
        elif token.startswith(b"[^"):
            token = b"[^\\n" + token[2:]
        parts.append(token)
    text = b"".join(parts)
    try:
        made = InLines(compiled(text, pattern.flags), compiled(b"(" + text + rb")[^\n]*\n", pattern.flags))
    except (re.error, OverflowError, RecursionError):
        return None
    return made if _stays_in_line(_parsed(made.alone)) else None


_SAFE_TOKEN = re.compile(rb"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_LINELESS = {rb"\s": rb"[^\S\n]", rb"\W": rb"[^\w\n]", rb"\D": rb"[^\d\n]"}
_LINE_SAFE_AT = {"AT_BEGINNING", "AT_END", "AT_BOUNDARY", "AT_NON_BOUNDARY"}


def _stays_in_line(tree: Any) -> bool:
    """Whether no match of these nodes can contain a line end."""
    return all(_node_stays_in_line(str(operator), value) for operator, value in tree)


def _node_stays_in_line(name: str, value: Any) -> bool:
    if name in ("LITERAL", "NOT_LITERAL"):
        return bool(value == 10) == (name == "NOT_LITERAL")
    if name == "ANY":
        return True
    if name == "AT":
        return str(value) in _LINE_SAFE_AT
    if name == "IN":
        return _set_is_lineless(value)
    if name in ("MAX_REPEAT", "MIN_REPEAT"):
        return _stays_in_line(value[2])
    if name == "SUBPATTERN":
        return not value[1] and not value[2] and _stays_in_line(value[3])
    return name == "BRANCH" and all(_stays_in_line(branch) for branch in value[1])


def _set_is_lineless(items: Any) -> bool:
    negated, named = False, False
    for operator, value in items:
        name = str(operator)
        negated |= name == "NEGATE"
        holds = (name == "LITERAL" and value == 10) or (name == "RANGE" and value[0] <= 10 <= value[1])
        named |= holds or (name == "CATEGORY" and str(value) in _WITH_LINE_END)
    return negated == named


_WITH_LINE_END = {"CATEGORY_SPACE", "CATEGORY_NOT_WORD", "CATEGORY_NOT_DIGIT"}


def _parsed(pattern: re.Pattern[bytes]) -> Any:
    """Python's own reading of a pattern."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]


@lru_cache(maxsize=64)
def can_be_empty(pattern: re.Pattern[bytes]) -> bool:
    """Whether a match may have no bytes."""
    least: int = _parsed(pattern).getwidth()[0]
    return least == 0


@lru_cache(maxsize=64)
def literal_in(pattern: re.Pattern[bytes]) -> bytes:
    """Bytes that every match contains, as many as can be told; none when folding or alternatives hide them."""
    if pattern.flags & re.IGNORECASE:
        return b""
    return max(_runs(_parsed(pattern)), key=len, default=b"")


def _runs(tree: Any) -> list[bytes]:
    """Runs of literal bytes in a sequence that must all be matched, groups looked into."""
    runs, run = [], bytearray()
    for operator, value in tree:
        name = str(operator)
        if name == "LITERAL" and value != 10:
            run.append(value)
            continue
        if run:
            runs.append(bytes(run))
            run.clear()
        if name == "SUBPATTERN" and not value[1] and not value[2]:
            runs += _runs(value[3])
        elif name == "MAX_REPEAT" and value[0] > 0:
            inner = _runs(value[2])
            alone = len(value[2]) == 1 and str(value[2][0][0]) == "LITERAL" and inner
            runs += [inner[0] * min(value[0], 64)] if alone else inner
    return [*runs, bytes(run)] if run else runs
