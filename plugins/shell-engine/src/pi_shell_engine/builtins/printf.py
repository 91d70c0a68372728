"""printf, as bash's builtin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.escapes import Dialect, expand
from pi_shell_engine.builtins.interface import encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

_PIECE = re.compile(rb"%%|%([-+ 0#']*)(\*|-?\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|j|z|t)?(.)?|[^%]+", re.DOTALL)
_INTEGER = re.compile(r"[ \t\n\v\f\r]*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_FLOAT = re.compile(r"\s*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE)
_LIMIT = 1 << 63
_RANGE = "Numerical result out of range"


def printf(io: BuiltinIO) -> int:
    """The format, as often as it takes to use up the arguments."""
    words = _words(io)
    return _Printing(io, encode(words[0]), list(words[1:])).run()


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """A format is needed; nothing else is a flag."""
    known = list(words[1:])
    if known[:1] == ["--"]:
        known = known[1:]
    elif known and known[0] is not None and re.fullmatch(r"-[a-zA-Z].*", known[0]):
        raise entry.unsupported(known[0][:2])
    if not known:
        raise entry.unsupported("it without a format", "give one, such as '%s\\n'")


def _words(io: BuiltinIO) -> Sequence[str]:
    check(io.entry, io.argv)
    return io.argv[2:] if io.argv[1] == "--" else io.argv[1:]


class _Stop(Exception):
    r"""`\c` in an argument of `%b`."""


class _Printing:
    """One run: what is still to be used, what has been made, and whether something was wrong."""

    def __init__(self, io: BuiltinIO, form: bytes, arguments: list[str]) -> None:
        self._io = io
        self._pieces = list(_PIECE.finditer(form))
        self._left = arguments
        self._made = bytearray()
        self._status = 0

    def run(self) -> int:
        try:
            while self._once() and self._left:
                pass
        except _Stop:
            pass
        except ValueError as error:
            self._fail(str(error))
        self._io.write(self._made)
        return self._status

    def _once(self) -> bool:
        """One pass over the format; whether it used an argument."""
        before = len(self._left)
        for piece in self._pieces:
            if piece[0] == b"%%":
                self._made += b"%"
            elif piece[0].startswith(b"%"):
                self._made += self._converted(piece)
            else:
                self._made += expand(piece[0], Dialect.FORMAT)[0]
        return len(self._left) < before

    def _converted(self, piece: re.Match[bytes]) -> bytes:
        flags, letter = piece[1].decode(), (piece[4] or b"").decode("latin-1")
        width, precision = self._number_of(piece[2]), self._number_of(piece[3])
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        if precision is not None and precision < 0:
            precision = None
        if letter in "sbqQ" and letter:
            return self._string(letter, flags, width, precision)
        if letter == "c":
            return _padded(encode(self._next())[:1] or b"\0", flags, width)
        if letter in "diouxX" and letter:
            return self._integer(letter, flags, width, precision)
        if letter in "eEfFgGaA" and letter:
            return self._float(letter, flags, width, precision)
        if letter == "(":
            raise self._io.unsupported("%(…)T", "use python for dates")
        what = (
            f"`{letter}': invalid format character"
            if letter
            else f"`{piece[0].decode('latin-1')}': missing format character"
        )
        raise ValueError(what)

    def _next(self) -> str:
        return self._left.pop(0) if self._left else ""

    def _number_of(self, text: bytes | None) -> int | None:
        if text is None:
            return None
        return self._whole(self._next()) if text == b"*" else int(text or b"0")

    def _string(self, letter: str, flags: str, width: int | None, precision: int | None) -> bytes:
        text = self._next()
        data, stop = encode(text), False
        if letter == "b":
            data, stop = expand(data, Dialect.WORD)
        elif letter in "qQ":
            data = encode(quoted(text))
        if precision is not None:
            data = data[:precision]
        data = _padded(data, flags, width)
        if stop:
            self._made += data
            raise _Stop
        return data

    def _integer(self, letter: str, flags: str, width: int | None, precision: int | None) -> bytes:
        signed = letter in "di"
        value = self._whole(self._next(), most=_LIMIT if signed else 2 * _LIMIT)
        if not signed:
            value %= 1 << 64
        letter = "d" if letter in "diu" else letter
        digits = format(abs(value), letter)
        if precision is not None:
            empty = precision == 0 and value == 0 and not (letter == "o" and "#" in flags)
            digits = "" if empty else digits.rjust(precision, "0")
        if "#" in flags and value:
            digits = {"o": "0" if not digits.startswith("0") else "", "x": "0x", "X": "0X"}.get(letter, "") + digits
        sign = "-" if value < 0 else ("+" if "+" in flags else " " if " " in flags else "") if signed else ""
        if "0" in flags and "-" not in flags and precision is None and width is not None:
            prefix = digits[:2] if digits[:2] in ("0x", "0X") and "#" in flags else ""
            digits = prefix + digits[len(prefix) :].rjust(width - len(sign) - len(prefix), "0")
        return _padded((sign + digits).encode(), flags, width)

    def _float(self, letter: str, flags: str, width: int | None, precision: int | None) -> bytes:
        value = self._real(self._next())
        if letter in "aA":
            raise self._io.unsupported(f"%{letter}", "write %g")
        zeros = "0" if "0" in flags and "-" not in flags and width is not None else ""
        spec = "".join(flag for flag in "+ #" if flag in flags) + (f"0{width}" if zeros else "")
        text = f"%{spec}.{6 if precision is None else precision}{letter}" % value
        return _padded(text.encode(), flags, width)

    def _whole(self, text: str, most: int = _LIMIT) -> int:
        if text[:1] in ("'", '"'):
            return ord(text[1]) if len(text) > 1 else 0
        found = _INTEGER.match(text)
        if found is None:
            self._complain(text)
            return 0
        digits = found[2]
        value = int(digits, 16 if digits[:2] in ("0x", "0X") else 8 if digits.startswith("0") else 10)
        value = -value if found[1] == "-" else value
        if found.end() != len(text):
            self._complain(text)
        if not -_LIMIT <= value < most:
            self._fail(f"warning: {text}: {_RANGE}", status=0)
            value = max(-_LIMIT, min(value, most - 1))
        return value

    def _real(self, text: str) -> float:
        if text[:1] in ("'", '"'):
            return float(ord(text[1])) if len(text) > 1 else 0.0
        if re.fullmatch(r"\s*[-+]?0[xX][0-9a-fA-F.pP+-]+", text):
            return float.fromhex(text.strip())
        found = _FLOAT.match(text)
        if found is None or found.end() != len(text):
            self._complain(text)
        return float(found[0]) if found else 0.0

    def _complain(self, text: str) -> None:
        if text:
            self._fail(f"{text}: invalid number")

    def _fail(self, text: str, status: int = 1) -> None:
        self._io.error(text)
        self._status = self._status or status


def _padded(data: bytes, flags: str, width: int | None) -> bytes:
    if width is None:
        return data
    return data.ljust(width) if "-" in flags else data.rjust(width)


def quoted(text: str) -> str:
    r"""A word that bash reads back as this text: backslashes, or `$'…'` where there are control characters."""
    if not text:
        return "''"
    if any(char < " " or char == "\x7f" or "\udc80" <= char <= "\udcff" for char in text):
        return "$'" + "".join(_ansi(char) for char in text) + "'"
    escaped = re.sub(r"([ !\"$&'()*,;<>?\[\\\]^`{|}])", r"\\\1", text)
    return "\\" + escaped if escaped[0] in "~#" else escaped


def _ansi(char: str) -> str:
    named = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "\\E"}
    if char in named:
        return named[char]
    if char in ("'", "\\"):
        return "\\" + char
    if char < " " or char == "\x7f":
        return f"\\{ord(char):03o}"
    if "\udc80" <= char <= "\udcff":
        return f"\\{ord(char) - 0xDC00:03o}"
    return char
