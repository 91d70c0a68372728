"""sort: by bytes, `-n` by the number a line begins with, `-f` without case, `-r` backwards, `-u` one of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import each, whole
from pi_shell_engine.builtins.interface import BuiltinError

if TYPE_CHECKING:
    from pi_shell_engine.builtins.flags import Parsed
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

SORT = Flags("rnuf")
_NUMBER = re.compile(rb"[ \t\n]*(-?)([0-9]*)(?:\.([0-9]*))?")


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    SORT.check(entry, words)


def sort(io: BuiltinIO) -> int:
    """All lines of all operands, in order; nothing is written unless all can be read."""
    parsed = SORT.read(io)
    pieces = []
    for _, descriptor in each(io, parsed.operands, "cannot read: "):
        data = whole(descriptor)
        pieces.append(data if not data or data.endswith(b"\n") else data + b"\n")
    if len(pieces) != (len(parsed.operands) or 1):
        return 2
    found = b"".join(pieces).split(b"\n")
    found.pop()
    ordered = _ordered(found, parsed)
    if ordered:
        io.write(b"\n".join(ordered) + b"\n")
    return 0


def _ordered(found: list[bytes], parsed: Parsed) -> list[bytes]:
    """As GNU: by the key, lines of equal keys by bytes, and `-u` keeps the first of equal keys."""
    reverse = "r" in parsed
    key = _key(parsed)
    if "u" in parsed:
        if key is None:
            return sorted(set(found), reverse=reverse)
        found.sort(key=key, reverse=reverse)
        return [next(group) for _, group in groupby(found, key)]
    found.sort(reverse=reverse)
    if key is not None:
        found.sort(key=key, reverse=reverse)
    return found


def _key(parsed: Parsed) -> Callable[[bytes], Any] | None:
    if "n" in parsed:
        return number
    return bytes.upper if "f" in parsed else None


def number(line: bytes) -> tuple[int, bytes]:
    """What orders a line by the number it begins with, exactly: its integer part, then its fraction."""
    found = _NUMBER.match(line)
    if found is None:
        raise BuiltinError("a line without a beginning")
    whole_part = int(found[2] or b"0")
    fraction = (found[3] or b"").rstrip(b"0")
    if not found[1]:
        return whole_part, fraction
    # Backwards for negative numbers: a larger fraction comes first, so its digits are complemented.
    return (-whole_part - 1, fraction.translate(_COMPLEMENT) + b"\xff") if fraction else (-whole_part, b"")


_COMPLEMENT = bytes.maketrans(b"0123456789", b"9876543210")
