"""Glob patterns as regular expressions: `*`, `?`, `[…]`, backslash; `/` is a character like any other."""

from __future__ import annotations

import re
from functools import lru_cache

_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \\t-\\r", "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}  # fmt: skip


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """The expression a whole name must match."""
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "[" and (found := _bracket(pattern, at)):
            text, at = found
            parts.append(text)
            continue
        if char == "\\" and at + 1 < len(pattern):
            at += 1
            parts.append(re.escape(pattern[at]))
        else:
            parts.append({"*": ".*", "?": "."}.get(char, re.escape(char)))
        at += 1
    return re.compile("".join(parts), re.DOTALL)


def _bracket(pattern: str, start: int) -> tuple[str, int] | None:
    """A bracket expression and where it ends; nothing when it never does."""
    at = start + 1
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    inside: list[str] = []
    first = True
    while at < len(pattern) and (pattern[at] != "]" or first):
        first = False
        if pattern.startswith("[:", at) and (end := pattern.find(":]", at)) > 0 and pattern[at + 2 : end] in _CLASSES:
            inside.append(_CLASSES[pattern[at + 2 : end]])
            at = end + 2
            continue
        if pattern[at] == "\\" and at + 1 < len(pattern):
            at += 1
        low = pattern[at]
        if pattern[at + 1 : at + 2] == "-" and pattern[at + 2 : at + 3] not in ("", "]"):
            high = pattern[at + 2]
            inside.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else "")
            at += 3
        else:
            inside.append(re.escape(low))
            at += 1
    if at >= len(pattern):
        return None
    body = "".join(inside)
    if not body:
        return ("." if negated else "(?!)"), at + 1
    return f"[{'^' if negated else ''}{body}]", at + 1
