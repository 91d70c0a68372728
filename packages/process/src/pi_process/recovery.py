"""UTF-8 first, byte by byte; a code page for what is left."""

from __future__ import annotations

import codecs
import functools
from unicodedata import name

_OTHER_SCRIPTS = frozenset(("ARABIC", "CYRILLIC", "GREEK", "HEBREW", "THAI"))
"""The scripts of the single-byte code pages that Windows and DOS know."""


class _Utf8:
    """UTF-8 whose invalid bytes go to the named error handler, at C speed for everything valid."""

    def __init__(self, errors: str) -> None:
        self._errors = errors
        self._held = b""

    def feed(self, data: bytes, final: bool) -> str:
        if self._held:
            data = self._held + data
        text, used = codecs.utf_8_decode(data, self._errors, final)
        self._held = data[used:]
        return text


def replacing_body() -> _Utf8:
    """Invalid sequences become U+FFFD."""
    return _Utf8("replace")


def single_byte_body(code_page: str) -> _Utf8:
    """Each byte that is no part of valid UTF-8 is one character of `code_page`."""
    return _Utf8(_register_handler(codecs.lookup(code_page).name))


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


def is_latin(code_page: str) -> bool:
    """Whether non-ASCII bytes of `code_page` are single accented letters and signs among ASCII ones."""
    letters = [character for character in single_byte_table(code_page) or () if character > "\x7f"]
    foreign = sum(name(letter, "LATIN").split()[0] in _OTHER_SCRIPTS for letter in letters)
    return bool(letters) and foreign < len(letters) // 4


@functools.cache
def _register_handler(code_page: str) -> str:
    table = single_byte_table(code_page)
    assert table is not None

    def recover(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return table[error.object[error.start]], error.start + 1

    handler = f"pi-process-{code_page}"
    codecs.register_error(handler, recover)
    return handler


class _Utf8OrPageLines:
    """From the first byte of a line that is not UTF-8 to the line's end, everything is in the code page."""

    def __init__(self, code_page: str) -> None:
        self._page = codecs.getincrementaldecoder(code_page)("replace")
        self._in_page = False
        self._held = b""

    def feed(self, data: bytes, final: bool) -> str:
        data = self._held + data
        self._held = b""
        pieces: list[str] = []
        while data:
            data = self._page_line(data, pieces) if self._in_page else self._utf8_run(data, pieces, final)
        if final:
            pieces.append(self._page.decode(b"", True))
        return "".join(pieces)

    def _page_line(self, data: bytes, pieces: list[str]) -> bytes:
        line, feed, rest = data.partition(b"\n")
        pieces.append(self._page.decode(line + feed, bool(feed)))
        self._in_page = not feed
        return rest

    def _utf8_run(self, data: bytes, pieces: list[str], final: bool) -> bytes:
        try:
            text, used = codecs.utf_8_decode(data, "strict", final)
        except UnicodeDecodeError as error:
            text, used = data[: error.start].decode(), error.start
            self._in_page = True
        else:
            self._held, used = data[used:], len(data)
        pieces.append(text)
        return data[used:]


def line_body(code_page: str) -> _Utf8OrPageLines:
    """For code pages of other scripts than Latin, judged by `is_latin`.

    Two of their letters in a row may well be valid UTF-8, and East Asian characters may end in an ASCII letter, so
    single bytes cannot be told apart; but a line feed is never part of one.
    """
    return _Utf8OrPageLines(code_page)
