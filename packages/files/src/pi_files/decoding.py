"""From the bytes of a file to text, and telling text from what is none.

Order: byte order mark (UTF-8, UTF-16, UTF-32), UTF-8, then Windows-1252, which reads any byte; data with NUL bytes or
many control characters is binary. Line endings stay as they are.
"""

import codecs
from dataclasses import dataclass

from pi_files.errors import FileError

SAMPLE = 64 * 1024
"""Bytes at the beginning of a file by which it is judged."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_BEGINNINGS = (
    b"%PDF-",
    b"\x7fELF",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"BZh9",
    b"7z\xbc\xaf",
    b"SQLite format 3\0",
)
_TEXT_CONTROLS = frozenset(b"\t\n\v\f\r\b\x1b")
_CONTROLS = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS) + b"\x7f"
_MANY = 0.05
_BINARY = "{} is binary, not text; use a program that knows its format"


class BinaryContent(FileError):
    """The bytes are no text."""


class NotUtf8(FileError):
    """The bytes are text in another encoding than UTF-8, or damaged UTF-8."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How bytes are to be read: codec name, the byte order mark at the beginning, and how errors are treated."""

    codec: str
    mark: bytes = b""
    errors: str = "strict"

    @property
    def note(self) -> str:
        """What a reader of the text must know about it; empty for plain UTF-8."""
        if self.codec == "utf-8":
            return "some bytes are not valid UTF-8 and are shown as \ufffd" if self.errors == "replace" else ""
        if self.mark:
            return f"decoded from {self.codec.upper()}"
        return "not UTF-8; decoded as Windows-1252, which is a guess"


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without its byte order mark, and the encoding it had."""

    text: str
    encoding: Encoding


def sniff(sample: bytes, *, complete: bool) -> Encoding | None:
    """The encoding that the beginning of a file suggests; `None` for binary data.

    `complete`: the sample is the whole file, so a character cut off at its end is an error.
    """
    for mark, codec in _MARKS:
        if sample.startswith(mark):
            return Encoding(codec, mark, "strict" if codec == "utf-8" and _is_utf8(sample, complete) else "replace")
    if b"\0" in sample or sample.startswith(_BINARY_BEGINNINGS):
        return None
    if _is_utf8(sample, complete):
        return Encoding("utf-8")
    if len(sample) - len(sample.translate(None, _CONTROLS)) > _MANY * len(sample):
        return None
    return Encoding("utf-8", errors="replace") if _mostly_utf8(sample) else Encoding("windows-1252", errors="replace")


def decode(data: bytes, path: object) -> Decoded:
    """Decode a whole file. Raises `BinaryContent`."""
    encoding = sniff(data if len(data) <= SAMPLE else data[:SAMPLE], complete=len(data) <= SAMPLE)
    if encoding == Encoding("utf-8") and len(data) > SAMPLE:
        encoding = sniff(data, complete=True)
    if encoding is None:
        raise BinaryContent(_BINARY.format(path))
    return Decoded(data[len(encoding.mark) :].decode(encoding.codec, encoding.errors), encoding)


def decode_strictly(data: bytes, path: object) -> Decoded:
    """Decode UTF-8 and nothing else, so that what was not changed can be written back byte by byte.

    Raises `BinaryContent` or `NotUtf8`.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        text = data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError as error:
        encoding = sniff(data[:SAMPLE], complete=False)
        if encoding is None:
            raise BinaryContent(
                f"{path} is binary, not text; change it with a program that knows its format"
            ) from error
        offset = error.start + len(mark)
        raise NotUtf8(
            f"{path} is not UTF-8 (byte {offset} is 0x{data[offset]:02x}); convert it first, for example with iconv, "
            "or write the whole file anew"
        ) from error
    if "\0" in text:
        raise BinaryContent(_BINARY.format(path))
    return Decoded(text, Encoding("utf-8", mark))


def _is_utf8(sample: bytes, complete: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, complete)
    except UnicodeDecodeError:
        return False
    return True


def _mostly_utf8(sample: bytes) -> bool:
    """Whether sequences of UTF-8 outnumber the bytes that fit none, as in a file that was damaged or cut."""
    text = sample.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return sum(char > "\x7f" for char in text) - wrong > 3 * wrong
