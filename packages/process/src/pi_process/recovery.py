"""UTF-8 first, byte by byte; a code page for what is left."""

from __future__ import annotations

import codecs
import functools
import re
from unicodedata import name

_OTHER_SCRIPTS = frozenset(("ARABIC", "CYRILLIC", "GREEK", "HEBREW", "THAI"))
"""The scripts of the single-byte code pages that Windows and DOS know, besides Latin."""

_CANDIDATES = re.compile(rb"([\xc2-\xf4][\x80-\xbf]+(?:[\xc2-\xf4][\x80-\xbf]+)*)")
"""The only places where UTF-8 sequences of several bytes can be; everything between them is one byte a character."""

_BEGUN = re.compile(
    rb"(?:[\xc2-\xdf]"
    rb"|\xe0[\xa0-\xbf]?|[\xe1-\xec\xee\xef][\x80-\xbf]?|\xed[\x80-\x9f]?"
    rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|[\xf1-\xf3][\x80-\xbf]{0,2}|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?)\Z"
)
"""How a well-formed sequence (RFC 3629, section 4) may begin at the end of a chunk."""


class ReplacingUtf8:
    """Invalid sequences become U+FFFD."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes, final: bool) -> str:
        data = self._held + data
        text, used = codecs.utf_8_decode(data, "replace", final)
        self._held = data[used:]
        return text


class Utf8OrBytes:
    """Each byte that is no part of valid UTF-8 is one character of `code_page`: for Latin pages."""

    def __init__(self, code_page: str) -> None:
        self._table = "".join(single_byte_table(code_page) or ())
        self._errors = _error_handler(code_page)
        self._held = b""

    def feed(self, data: bytes, final: bool) -> str:
        data = self._held + data
        try:
            text, used = codecs.utf_8_decode(data, "strict", final)
        except UnicodeDecodeError:
            begun = None if final else _BEGUN.search(data, max(0, len(data) - 3))
            used = begun.start() if begun else len(data)
            text = self._mixed(data[:used])
        self._held = data[used:]
        return text

    def _mixed(self, data: bytes) -> str:
        pieces = _CANDIDATES.split(data)
        texts = [""] * len(pieces)
        texts[::2] = [codecs.charmap_decode(piece, "strict", self._table)[0] for piece in pieces[::2]]
        texts[1::2] = [codecs.utf_8_decode(piece, self._errors, True)[0] for piece in pieces[1::2]]
        return "".join(texts)


class Utf8OrLines:
    """From the first byte of a line that is not UTF-8 to the line's end, everything is in `code_page`.

    For pages of other scripts than Latin: two of their letters in a row may well be valid UTF-8, and East Asian
    characters may end in an ASCII letter, so single bytes cannot be told apart; but a line feed is never part of one.
    """

    def __init__(self, code_page: str) -> None:
        self._page = codecs.getincrementaldecoder(code_page)("replace")
        self._in_page = False
        self._held = b""

    def feed(self, data: bytes, final: bool) -> str:
        data = self._held + data
        self._held = b""
        pieces: list[str] = []
        position = 0
        while position < len(data):
            if self._in_page:
                position = self._page_line(data, position, pieces)
            else:
                position = self._utf8_lines(data, position, pieces, final)
        if final:
            pieces.append(self._page.decode(b"", True))
        return "".join(pieces)

    def _page_line(self, data: bytes, begin: int, pieces: list[str]) -> int:
        end = data.find(b"\n", begin) + 1
        self._in_page = not end
        pieces.append(self._page.decode(data[begin : end or len(data)], not self._in_page))
        return end or len(data)

    def _utf8_lines(self, data: bytes, begin: int, pieces: list[str], final: bool) -> int:
        view = memoryview(data)[begin:]
        try:
            text, used = codecs.utf_8_decode(view, "strict", final)
        except UnicodeDecodeError as error:
            text, used = str(view[: error.start], "utf-8"), error.start
            self._in_page = True
        else:
            self._held, used = data[begin + used :], len(view)
        pieces.append(text)
        return begin + used


@functools.cache
def single_byte_table(code_page: str) -> tuple[str, ...] | None:
    """The 256 characters of `code_page`, or None when it has characters of several bytes.

    Bytes without a character stand for the C1 control of the same number, as the web's windows-1252 has it for 81, 8D,
    8F, 90 and 9D.
    """
    table = []
    for byte in range(256):
        decoder = codecs.getincrementaldecoder(code_page)("strict")
        try:
            text = decoder.decode(bytes((byte,)))
        except UnicodeDecodeError:
            text = chr(byte)
        if len(text) != 1:
            return None
        table.append(text)
    return tuple(table)


@functools.cache
def _error_handler(code_page: str) -> str:
    """Register the error handler that reads one invalid byte as a character of `code_page`; return its name."""
    table = single_byte_table(code_page) or ()

    def recover(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return table[error.object[error.start]], error.start + 1

    handler = f"pi-process-{codecs.lookup(code_page).name}"
    codecs.register_error(handler, recover)
    return handler


@functools.cache
def is_latin(code_page: str) -> bool:
    """Whether the non-ASCII bytes of `code_page` are single accented letters and signs among ASCII ones."""
    letters = [character for character in single_byte_table(code_page) or () if character > "\x7f"]
    foreign = sum(name(letter, "LATIN").split()[0] in _OTHER_SCRIPTS for letter in letters)
    return bool(letters) and foreign < len(letters) // 4
