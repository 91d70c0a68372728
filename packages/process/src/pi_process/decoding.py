"""Bytes of unknown encoding to text, as they arrive: the same text however the bytes were cut, and never an error."""

from __future__ import annotations

import codecs
import locale
import sys
from dataclasses import dataclass
from typing import Protocol

from pi_process.recovery import ReplacingUtf8, Utf8OrBytes, Utf8OrLines, is_latin
from pi_process.utf16 import Utf16Lines, sniff

UTF8_BOM = codecs.BOM_UTF8
DEFAULT_CODE_PAGE = "windows-1252"


@dataclass(frozen=True, slots=True)
class DecodePolicy:
    """How bytes that are not UTF-8 are read.

    `code_page` names the Python codec for them; None turns them into U+FFFD. `utf16` recognises UTF-16 by its byte
    order mark or by the zero bytes of its Latin letters. Raises ValueError for a codec Python does not have.
    """

    code_page: str | None = None
    utf16: bool = False

    def __post_init__(self) -> None:
        if self.code_page is None:
            return
        try:
            codecs.lookup(self.code_page)
        except LookupError as error:
            raise ValueError(f"unknown code page {self.code_page!r}; use a name like cp1252, cp850 or gbk") from error


def system_policy(platform: str = sys.platform, code_page: str | None = None) -> DecodePolicy:
    """The policy for output of programs on this system: UTF-8 alone, except on Windows.

    There `code_page` defaults to the machine's ANSI code page, and to windows-1252 where that is UTF-8 itself.
    """
    if platform != "win32":
        return DecodePolicy()
    page = code_page or locale.getencoding()
    return DecodePolicy(DEFAULT_CODE_PAGE if codecs.lookup(page).name == "utf-8" else page, utf16=True)


class Body(Protocol):
    """Decodes a stream from its second decision on. With `final` nothing is held back."""

    def feed(self, data: bytes, final: bool) -> str: ...


def byte_body(policy: DecodePolicy) -> Body:
    """The decoder of a stream that is not UTF-16."""
    if policy.code_page is None:
        return ReplacingUtf8()
    return Utf8OrBytes(policy.code_page) if is_latin(policy.code_page) else Utf8OrLines(policy.code_page)


class StreamDecoder:
    """Decodes one stream chunk by chunk.

    UTF-8 wins wherever the bytes are valid; only the rest is recovered. A byte order mark at the start is dropped,
    U+FEFF elsewhere is text. At most 32 bytes are held back at the start and after a UTF-16 line, at most 3 elsewhere.
    """

    def __init__(self, policy: DecodePolicy | None = None) -> None:
        self._policy = policy or system_policy()
        self._start: bytes | None = b""
        self._utf16: Utf16Lines | None = None
        self._body = byte_body(self._policy)

    def feed(self, data: bytes) -> str:
        """Decode what `data` completes."""
        return self._feed(data, final=False)

    def finish(self) -> str:
        """Decode what was held back. The decoder then starts over with a new stream."""
        text = self._feed(b"", final=True)
        self._start, self._utf16 = b"", None
        self._body = byte_body(self._policy)
        return text

    def _feed(self, data: bytes, final: bool) -> str:
        if self._start is not None:
            data = self._start + data
            if not self._decide(data, final):
                self._start = data
                return ""
            data = data[self._skipped(data) :]
            self._start = None
        if self._utf16 is None:
            return self._body.feed(data, final)
        text, rest = self._utf16.feed(data, final)
        if rest is None:
            return text
        self._utf16 = None
        return text + self._body.feed(rest, final)

    def _decide(self, start: bytes, final: bool) -> bool:
        """Settle the stream's encoding from its first bytes; False while they allow more than one."""
        if not self._policy.utf16:
            return final or not UTF8_BOM.startswith(start) or start == UTF8_BOM
        encoding = sniff(start, final)
        if encoding is not None and encoding != "utf-8":
            self._utf16 = Utf16Lines(encoding)
        return encoding is not None

    def _skipped(self, start: bytes) -> int:
        """Length of the byte order mark."""
        if self._utf16 is None:
            return len(UTF8_BOM) if start.startswith(UTF8_BOM) else 0
        return 2 if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else 0
