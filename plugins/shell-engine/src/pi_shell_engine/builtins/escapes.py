r"""Backslash escapes as bash's `echo -e`, `printf` formats and `%b` read them; they differ in how octal is written."""

from __future__ import annotations

import enum
import re

_SIMPLE = {
    b"a": b"\a", b"b": b"\b", b"e": b"\x1b", b"E": b"\x1b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t",
    b"v": b"\v", b"\\": b"\\",
}  # fmt: skip

_TAIL = rb"x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[abeEfnrtvc\\]"


class Dialect(enum.Enum):
    """Whose escapes: the octal form, and what else there is."""

    ECHO = re.compile(rb"\\(0[0-7]{0,3}|" + _TAIL + rb")")
    FORMAT = re.compile(rb"\\([0-7]{1,3}|[\"'?]|" + _TAIL.replace(b"vc", b"v") + rb")")
    WORD = re.compile(rb"\\(0[0-7]{0,3}|[1-7][0-7]{0,2}|[\"'?]|" + _TAIL + rb")")


def expand(data: bytes, dialect: Dialect) -> tuple[bytes, bool]:
    r"""The bytes that are meant, and whether `\c` said to stop there."""
    if b"\\" not in data:
        return data, False
    parts: list[bytes] = []
    at = 0
    for found in dialect.value.finditer(data):
        parts.append(data[at : found.start()])
        at = found.end()
        if found[1] == b"c":
            return b"".join(parts), True
        parts.append(_meaning(found[1]))
    return b"".join([*parts, data[at:]]), False


def _meaning(escape: bytes) -> bytes:
    kind, digits = escape[:1], escape[1:]
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind == b"x":
        return bytes([int(digits, 16)])
    if kind in b"uU":
        return _utf8(int(digits, 16))
    if kind in b"\"'?":
        return escape
    return bytes([int(escape, 8) & 0xFF])


def _utf8(code: int) -> bytes:
    return chr(code).encode("utf-8", "surrogatepass") if code <= 0x10FFFF else b""
