"""The inside of `$'…'`: bash's ANSI-C escapes."""

from __future__ import annotations

import re

ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x\{(?P<braced>[0-9A-Fa-f]*)\}?|x(?P<hex>[0-9A-Fa-f]{1,2})"
    r"|u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8})|c(?P<control>\\\\|.)|(?P<char>.))",
    re.DOTALL,
)
SIMPLE = {
    "a": b"\a", "b": b"\b", "e": b"\x1b", "E": b"\x1b", "f": b"\f", "n": b"\n", "r": b"\r", "t": b"\t", "v": b"\v",
    "\\": b"\\", "'": b"'", '"': b'"', "?": b"?",
}  # fmt: skip


def decode_ansi_c(body: str) -> str:
    """What `$'body'` stands for; `\\0` ends the text there, as in bash. Bytes that are not UTF-8 become surrogates."""
    if "\\" not in body:
        return body
    parts: list[bytes] = []
    end = 0
    for match in ESCAPE.finditer(body):
        parts.append(_encode(body[end : match.start()]))
        value = _value(match)
        end = match.end()
        if value == b"\0":
            return _decode(parts)
        parts.append(value)
    parts.append(_encode(body[end:]))
    return _decode(parts)


def _value(match: re.Match[str]) -> bytes:
    kind, text = match.lastgroup, match[match.lastgroup or 0]
    match kind:
        case "octal":
            return bytes([int(text, 8) & 0xFF])
        case "hex":
            return bytes([int(text, 16)])
        case "braced":
            return bytes([int(text, 16) & 0xFF]) if text else b"\0"
        case "short" | "long":
            return _utf8(int(text, 16))
        case "control":
            first, *rest = _encode(text[0].upper() if text[0].isascii() else text[0])
            return bytes([0x7F if first == ord("?") else first & 0x1F, *rest])
        case _:
            return SIMPLE.get(text) or _encode("\\" + text)


def _utf8(code: int) -> bytes:
    if code > 0x10FFFF:
        return b""
    return chr(code).encode("utf-8", "surrogatepass")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _decode(parts: list[bytes]) -> str:
    return b"".join(parts).decode("utf-8", "surrogateescape")
