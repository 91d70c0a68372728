"""Recognising UTF-16 in a stream of bytes, and the lines of other text that may follow it in the same pipe."""

from __future__ import annotations

import codecs

SNIFF_LIMIT = 32
ASCII_RUN = 8
BYTEWISE_LIMIT = 3

_TEXT_BYTES = frozenset((0x09, 0x0A, 0x0D, 0x1B, *range(0x20, 0x7F)))
_LETTER_ROWS = frozenset((*range(0x03, 0x07), 0x0E, 0x30, 0x31, *range(0x4E, 0xA0), *range(0xAC, 0xD8), 0xFF))
"""High bytes of the scripts a line may well begin with: Greek to Arabic, Thai, kana and Han, Hangul, full width."""


def sniff(start: bytes, final: bool) -> str | None:
    """The encoding of a stream that begins with `start`: "utf-16-le", "utf-16-be" or "utf-8" (anything else).

    None while more bytes are needed, never with `final` or beyond 32 bytes. The answer depends on the shortest prefix
    that decides, so it is the same however the stream is cut.
    """
    for length in range(1, min(len(start), SNIFF_LIMIT) + 1):
        if (encoding := _verdict(start[:length])) is not None:
            return encoding
    return "utf-8" if final or len(start) >= SNIFF_LIMIT else None


def _verdict(prefix: bytes) -> str | None:
    if prefix.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if prefix.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    if prefix == codecs.BOM_UTF8 or _is_plain_utf8(prefix):
        return "utf-8"
    little = big = bytewise = 0
    for low, high in zip(prefix[::2], prefix[1::2], strict=False):
        little += high == 0 and low in _TEXT_BYTES
        big += low == 0 and high in _TEXT_BYTES
        bytewise += low in _TEXT_BYTES and high in _TEXT_BYTES
        if not _may_be_utf16(low, high):
            return "utf-8"
    # Some Han characters look like two ASCII ones, a text that begins with three of them hardly exists.
    if (little and big) or bytewise == BYTEWISE_LIMIT or _is_text(prefix[:2]):
        return "utf-8"
    return "utf-16-le" if little >= 2 else "utf-16-be" if big >= 2 else None


def _is_plain_utf8(prefix: bytes) -> bool:
    """At least two bytes of complete UTF-8 characters, none of them a control that text does not contain."""
    try:
        text, used = codecs.utf_8_decode(prefix, "strict", False)
    except UnicodeDecodeError:
        return False
    return (
        used >= 2
        and text != "\ufeff"
        and all(ord(character) >= 0x80 or ord(character) in _TEXT_BYTES for character in text)
    )


def _is_text(start: bytes) -> bool:
    return len(start) == 2 and _TEXT_BYTES.issuperset(start)


def _may_be_utf16(low: int, high: int) -> bool:
    latin = (high == 0 and (low in _TEXT_BYTES or low >= 0xA0)) or (low == 0 and high in _TEXT_BYTES)
    return latin or high in _LETTER_ROWS


class Utf16Lines:
    """UTF-16 until a line begins with one-byte text, as when another program goes on in the same pipe."""

    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._line_feed = "\n".encode(encoding)
        self._held = b""
        self._at_line_start = False

    def feed(self, data: bytes, final: bool) -> tuple[str, bytes | None]:
        """Decode; the second item is what is no longer UTF-16, or None while all of it is."""
        data = self._held + data
        pieces: list[str] = []
        position = 0
        while position < len(data):
            if self._at_line_start:
                verdict = _is_byte_text(data[position : position + ASCII_RUN], final)
                if verdict:
                    return "".join(pieces), data[position:]
                if verdict is None:
                    break
            end = self._line_end(data, position)
            self._at_line_start = end > 0
            end = end or position + ((len(data) - position) & ~1)
            pieces.append(self._decoder.decode(data[position:end]))
            position = end
            if not self._at_line_start:
                break
        self._held = data[position:]
        if final:
            pieces.append(self._decoder.decode(self._held, True))
        return "".join(pieces), None

    def _line_end(self, data: bytes, begin: int) -> int:
        """Where the line that begins there ends, or 0 if its line feed has not come."""
        found = data.find(self._line_feed, begin)
        while found >= 0 and (found - begin) % 2:
            found = data.find(self._line_feed, found + 1)
        return found + 2 if found >= 0 else 0


def _is_byte_text(start: bytes, final: bool) -> bool | None:
    """Whether a line begins with one-byte text; None while that needs more bytes."""
    run = next((index for index, byte in enumerate(start) if byte not in _TEXT_BYTES), len(start))
    if run < len(start):
        return False
    return True if run == ASCII_RUN or (final and run) else None
