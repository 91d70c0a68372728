r"""Patterns of grep and sed: Python's `re` on bytes, and what is said when GNU would read a pattern differently.

A pattern is taken as the UTF-8 bytes it is written in; `.` is one byte, `-i` folds ASCII letters, as with LC_ALL=C.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.interface import encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO

_TOKEN = re.compile(r"\\(.)|(\[\^?\]?(?:\[[:=.].*?[:=.]\]|[^\]])*\])|([+?|(){])|.", re.DOTALL)
_CLASS = re.compile(r"\[:(\w+):\]")
_INSTEAD = {
    "alnum": "[0-9A-Za-z]", "alpha": "[A-Za-z]", "blank": "[ \\t]", "digit": "[0-9]", "lower": "[a-z]",
    "punct": "[!-/:-@\\[-`{-~]", "space": "\\s", "upper": "[A-Z]", "xdigit": "[0-9A-Fa-f]",
}  # fmt: skip
_OPERATORS = {"|": "|", "(": "(", ")": ")", "{": "{", "}": "}", "+": "+", "?": "?", "<": "\\b", ">": "\\b"}


@lru_cache(maxsize=64)
def compiled(pattern: bytes, flags: int) -> re.Pattern[bytes]:
    """The pattern, compiled; `re.error` when Python cannot read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, flags)


def regex(io: BuiltinIO, pattern: str, *, fold: bool, word: bool = False) -> re.Pattern[bytes]:
    """A pattern of a command; lines of it are alternatives. Raises the `malformed-syntax` refusal."""
    pieces = encode(pattern).split(b"\n")
    body = b"|".join(b"(?:%s)" % piece for piece in pieces) if len(pieces) > 1 else pieces[0]
    if word:
        body = rb"(?<![0-9A-Za-z_])(?:%s)(?![0-9A-Za-z_])" % body
    try:
        return compiled(body, re.MULTILINE | (re.IGNORECASE if fold else 0))
    except (re.error, OverflowError, RecursionError) as error:
        raise malformed(
            io, f"pattern {pattern!r} is not a Python regular expression ({error}); write it as one"
        ) from error


def malformed(io: BuiltinIO, text: str) -> Exception:
    """The refusal of a form that cannot be read."""
    from pi_shell import refuse

    return refuse("malformed-syntax", text=f"{io.name}: {text}")


def announce(io: BuiltinIO, pattern: str, *, extended: bool) -> None:
    """Say, before it matters, where the pattern means something else than it does to GNU."""
    for found in _TOKEN.finditer(pattern):
        escaped, bracket, bare = found.groups()
        if escaped in ("<", ">") or (escaped and not extended and escaped in _OPERATORS):
            _hint(io, "bre-escape", f"\\{escaped}", pattern, f"write {_OPERATORS[escaped]}")
            return
        if bracket and (named := _CLASS.search(bracket)):
            _hint(io, "posix-class", named[0], pattern, _INSTEAD.get(named[1], "the characters themselves"))
            return
        if bare and not extended:
            _hint(io, "bre-literal", bare, pattern, f"\\{bare}")
            return


def _hint(io: BuiltinIO, key: str, what: str, pattern: str, instead: str) -> None:
    io.hint(key, command=io.name, what=what, pattern=repr(pattern), instead=instead)
