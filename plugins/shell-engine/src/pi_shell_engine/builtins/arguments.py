"""xargs: words of the input as arguments of a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import whole
from pi_shell_engine.builtins.interface import BuiltinError, decode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

XARGS = Flags("0", valued="nI", permute=False)
_NUL = (
    "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  "
    "Did you mean to use the --null option?"
)
_BOTH = "warning: options --max-args and {} are mutually exclusive, ignoring previous {} value"
SPACE = 128 * 1024
"""Bytes of arguments a command is given at most, as GNU's default."""


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    XARGS.check(entry, words)


def xargs(io: BuiltinIO) -> int:
    """Run a command on the words of the input; 123 when one run failed, 124 on 255, 125 on a signal, 126, 127."""
    parsed = XARGS.read(io)
    command = parsed.operands or ["echo"]
    mark = parsed.value("I")
    most = _count(parsed.value("n"))
    if mark is not None and most > 1 and list(parsed.values)[-1] == "n":
        io.error(_BOTH.format("--replace/-I/-i", "--replace"))
        mark = None
    elif mark is not None and most and list(parsed.values)[-1] == "I":
        io.error(_BOTH.format("--replace/-I/-i", "--max-args"))
    data = whole(io.stdin)
    if b"\0" in data and "0" not in parsed:
        io.error(_NUL)
    words, wrong = _read(data, lines=mark is not None, nul="0" in parsed)
    if mark is not None:
        runs: Iterator[list[str]] = ([part.replace(mark, word) for part in command] for word in words)
    elif wrong and not words:
        runs = iter(())
    else:
        runs = _batches(command, words, most)
    status = _run_all(io, runs)
    if wrong:
        io.error(wrong.text)
    return status or (1 if wrong else 0)


def _read(data: bytes, *, lines: bool, nul: bool) -> tuple[list[str], BuiltinError | None]:
    """The words of the input up to the first that cannot be read, and what is wrong with that one."""
    if nul:
        words = [decode(word) for word in data.split(b"\0")]
        return (words if words[-1] else words[:-1]), None
    words = []
    try:
        for word in _lines(decode(data)) if lines else _words(decode(data)):
            words.append(word.partition("\0")[0])
    except BuiltinError as error:
        return words, error
    return words, None


def _run_all(io: BuiltinIO, runs: Iterator[list[str]]) -> int:
    status = 0
    for argv in runs:
        code = io.shell.run(argv, io)
        if code in (126, 127):
            return code
        if code == 255:
            io.error(f"{argv[0]}: exited with status 255; aborting")
            return 124
        if code > 128:
            io.error(f"{argv[0]}: terminated by signal {code - 128}")
            return 125
        status = 123 if code else status
    return status


def _count(text: str | None) -> int:
    if text is None:
        return 0
    if not text.isdigit():
        raise BuiltinError(f'invalid number "{text}" for -n option')
    if not int(text):
        raise BuiltinError("value 0 for -n option should be >= 1")
    return int(text)


def _batches(command: list[str], words: list[str], most: int) -> Iterator[list[str]]:
    """The command with as many words as fit, or `most`; once without any when there are none."""
    room = SPACE - sum(len(part.encode("utf-8", "surrogateescape")) + 1 for part in command)
    batch: list[str] = []
    used = 0
    for word in words:
        size = len(word.encode("utf-8", "surrogateescape")) + 1
        if batch and (len(batch) == most or used + size > room):
            yield [*command, *batch]
            batch, used = [], 0
        batch.append(word)
        used += size
    if batch or not words:
        yield [*command, *batch]


def _lines(text: str) -> Iterator[str]:
    """Lines for -I: blanks at their beginning go, quotes and backslashes are read."""
    for line in text.split("\n"):
        stripped = line.lstrip(" \t")
        if stripped:
            yield "".join(_words(stripped, blanks="")) if any(mark in stripped for mark in "'\"\\") else stripped


def _words(text: str, blanks: str = " \t\n") -> Iterator[str]:
    r"""Words between blanks; `'…'`, `"…"` and backslash keep what they hold."""
    word: list[str] = []
    begun = False
    at = 0
    while at < len(text):
        char = text[at]
        if char in blanks:
            if begun:
                yield "".join(word)
                word, begun = [], False
        elif char in "'\"":
            end = text.find(char, at + 1)
            line_end = text.find("\n", at + 1)
            if end < 0 or 0 <= line_end < end:
                kind = "single" if char == "'" else "double"
                raise BuiltinError(
                    f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"
                )
            word.append(text[at + 1 : end])
            begun, at = True, end
        else:
            if char == "\\" and at + 1 < len(text):
                at += 1
                char = text[at]
            word.append(char)
            begun = True
        at += 1
    if begun:
        yield "".join(word)
