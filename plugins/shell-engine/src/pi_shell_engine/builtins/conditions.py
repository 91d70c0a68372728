"""test and `[`: one operator, with `!` before it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.interface import BuiltinError

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

_INTEGER = re.compile(r"\s*[-+]?[0-9]+\s*")
_LIMIT = 1 << 63

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_BINARY = {"=", "!=", *_COMPARISONS}
_UNARY = set("edfrwxsnz")
_ELSEWHERE = {
    "-a": "join two commands with &&",
    "-o": "join two commands with ||",
    "==": "write = for equal strings",
    "<": "sort the strings, or compare numbers with -lt",
    ">": "sort the strings, or compare numbers with -gt",
    "-nt": "use python to compare times",
    "-ot": "use python to compare times",
    "-ef": "use python to compare files",
    "(": "group commands with { ...; }",
}


def test(io: BuiltinIO) -> int:
    """0 when the condition holds, 1 when not, 2 when it cannot be told."""
    words = list(io.argv[1:])
    if io.name == "[":
        if words[-1:] != ["]"]:
            raise _unclosed()
        words.pop()
    return 0 if _holds(io, words) else 1


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse operators outside the contract where they can be seen."""
    known = list(words[1:])
    if entry.name == "[":
        if (known and known[-1] != "]" and known[-1] is not None) or not known:
            raise _unclosed()
        known = known[:-1]
    if None not in known:
        _judge(entry, [word for word in known if word is not None])


def _judge(entry: Entry, words: list[str]) -> None:
    """Raise the refusal of a condition that is not one of the supported forms."""
    while len(words) > 1 and words[0] == "!" and len(words) != 3:
        words = words[1:]
    if len(words) == 3 and words[1] not in _BINARY and words[0] == "!":
        words = words[1:]
    if len(words) == 2 and words[0] != "!" and not (words[0][:1] == "-" and words[0][1:] in _UNARY):
        raise entry.unsupported(words[0])
    if len(words) == 3 and words[1] not in _BINARY:
        raise entry.unsupported(words[1], _ELSEWHERE.get(words[1], ""))
    if len(words) > 3:
        found = next((word for word in words if word in _ELSEWHERE), "more than one condition")
        raise entry.unsupported(found, _ELSEWHERE.get(found, ""))


def _holds(io: BuiltinIO, words: list[str]) -> bool:
    _judge(io.entry, words)
    if not words:
        return False
    if len(words) == 1:
        return words[0] != ""
    if len(words) == 3 and words[1] in _BINARY:
        return _compare(io, *words)
    if words[0] == "!":
        return not _holds(io, words[1:])
    return _unary(io, words[0][1:], words[1])


def _compare(io: BuiltinIO, left: str, operator: str, right: str) -> bool:
    if operator in _COMPARISONS:
        return _COMPARISONS[operator](_integer(left), _integer(right))
    return (left == right) == (operator == "=")


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise BuiltinError(f"{text}: integer expression expected", 2)
    value = int(text)
    if not -_LIMIT <= value < _LIMIT:
        raise BuiltinError(f"{text}: integer expression expected", 2)
    return value


def _unary(io: BuiltinIO, letter: str, word: str) -> bool:
    if letter in "nz":
        return (word == "") == (letter == "z")
    if not word:
        return False
    path = io.resolve(word)
    if letter == "x" and io.paths.windows and not os.path.isdir(path):
        return os.path.isfile(path) and _starts(io, word)
    if letter in "rwx":
        return os.access(path, {"r": os.R_OK, "w": os.W_OK, "x": os.X_OK}[letter])
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    if letter == "d":
        return stat.S_ISDIR(found.st_mode)
    if letter == "f":
        return stat.S_ISREG(found.st_mode)
    return letter == "e" or found.st_size > 0


def _starts(io: BuiltinIO, name: str) -> bool:
    """Whether Windows starts a file of this name; it has no permission for that."""
    known = io.env.get("PATHEXT") or ".COM;.EXE;.BAT;.CMD"
    return os.path.splitext(name)[1].upper() in known.upper().split(";")


def _unclosed() -> Exception:
    from pi_shell import refuse

    return refuse("malformed-syntax", text="[ without ]")
