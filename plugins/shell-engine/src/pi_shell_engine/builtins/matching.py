"""grep: lines that match, found in whole blocks."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.dialect import announce, compiled, regex
from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import blocks, each
from pi_shell_engine.builtins.interface import BuiltinError, decode, encode
from pi_shell_engine.builtins.patterns import in_lines, literal_in

if TYPE_CHECKING:
    from pi_shell_engine.builtins.flags import Parsed
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

GREP = Flags("ivnclwFE")
STDIN_NAME = "(standard input)"
Span = tuple[int, int]
Finder = Callable[[bytes], Iterator[Span]]


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags and a missing pattern."""
    found = GREP.check(entry, words)
    if found.certain and not found.words:
        raise entry.unsupported("it without a pattern", "give one")


def grep(io: BuiltinIO) -> int:
    """0 when a line was selected, 1 when none was, 2 when something could not be read."""
    check(io.entry, io.argv)
    parsed = GREP.read(io)
    pattern, operands = parsed.operands[0], parsed.operands[1:]
    finder = _finder(io, pattern, parsed)
    selected, done = False, 0

    def folder(name: str) -> None:
        io.error(f"{name}: {os.strerror(errno.EISDIR)}")
        if "c" in parsed and "l" not in parsed:
            io.write((encode(name) + b":" if len(operands) > 1 else b"") + b"0\n")

    for operand, descriptor in each(io, operands, folder=folder):
        name = STDIN_NAME if operand == "-" else operand
        job = _Job(io, finder, parsed, encode(name), named=len(operands) > 1)
        selected |= job.run(descriptor)
        done += 1
    return 2 if done < (len(operands) or 1) else 0 if selected else 1


def _finder(io: BuiltinIO, pattern: str, parsed: Parsed) -> Finder:
    fold, word = "i" in parsed, "w" in parsed
    if "F" in parsed and "E" in parsed:
        raise BuiltinError("conflicting matchers specified", 2)
    if "F" not in parsed:
        announce(io, pattern, extended="E" in parsed)
        return finder_of(regex(io, pattern, fold=fold, word=word))
    pieces = encode(pattern).split(b"\n")
    if len(pieces) == 1 and not fold and not word:
        return lambda block: _literal_lines(block, pieces[0])
    body = b"|".join(re.escape(piece) for piece in pieces)
    if word:
        body = rb"(?<![0-9A-Za-z_])(?:%s)(?![0-9A-Za-z_])" % body
    return finder_of(compiled(body, re.MULTILINE | (re.IGNORECASE if fold else 0)))


def finder_of(pattern: re.Pattern[bytes]) -> Finder:
    """A function that gives the spans of the lines of a block that match, line ends included."""
    needed = literal_in(pattern)
    if needed and needed == pattern.pattern:
        return lambda block: _literal_lines(block, needed)
    inside = in_lines(pattern)
    if inside is not None and len(needed) < SELECTIVE:
        return _RestFinder(inside.line, pattern)
    if needed:
        return lambda block: (
            (start, end) for start, end in _literal_lines(block, needed) if _in_line(pattern, block, start, end)
        )
    return lambda block: _regex_lines(block, pattern)


SELECTIVE = 2
"""Bytes a literal must have at least for it to be looked for first."""


@dataclass(frozen=True, slots=True)
class _RestFinder:
    """Finds lines where a match and the rest of its line is one expression; counting them needs no spans."""

    rest: re.Pattern[bytes]
    pattern: re.Pattern[bytes]

    def __call__(self, block: bytes) -> Iterator[Span]:
        return _rest_lines(block, self.rest, self.pattern)

    def count(self, block: bytes) -> int:
        last = block.rfind(b"\n") + 1
        ended = len(self.rest.findall(block, 0, last))
        return ended + (last < len(block) and _in_line(self.pattern, block, last, len(block)))


def count_of(finder: Finder, block: bytes) -> int:
    """The number of lines of a block that match."""
    return finder.count(block) if isinstance(finder, _RestFinder) else sum(1 for _ in finder(block))


def _rest_lines(block: bytes, rest: re.Pattern[bytes], pattern: re.Pattern[bytes]) -> Iterator[Span]:
    """The lines that hold a match, where a match and the rest of its line is one expression."""
    last = block.rfind(b"\n") + 1
    at = 0
    for found in rest.finditer(block, 0, last):
        end = found.end()
        yield max(block.rfind(b"\n", at, found.start()) + 1, at), end
        at = end
    if last < len(block) and _in_line(pattern, block, last, len(block)):
        yield last, len(block)


def _literal_lines(block: bytes, needed: bytes) -> Iterator[Span]:
    if not needed:
        yield from _all_lines(block, 0, len(block))
        return
    at = block.find(needed)
    while at >= 0:
        start = block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at) + 1 or len(block)
        yield start, end
        at = block.find(needed, end)


def _all_lines(block: bytes, start: int, stop: int) -> Iterator[Span]:
    while start < stop:
        end = block.find(b"\n", start) + 1 or stop
        yield start, end
        start = end


def _regex_lines(block: bytes, pattern: re.Pattern[bytes]) -> Iterator[Span]:
    """A match in the block is only a candidate: it may reach over a line end, which a line has none of."""
    at = 0
    while at < len(block):
        found = pattern.search(block, at)
        # After a last line end there is no line; at the end of a line that lacks its own there is.
        if found is None or (found.start() == len(block) and block.endswith(b"\n")):
            return
        start = max(block.rfind(b"\n", 0, found.start()) + 1, at)
        end = block.find(b"\n", found.start()) + 1 or len(block)
        if (found.end() < end and b"\n" not in found[0]) or _in_line(pattern, block, start, end):
            yield start, end
        at = end


def _in_line(pattern: re.Pattern[bytes], block: bytes, start: int, end: int) -> bool:
    line = block[start:end]
    return pattern.search(line[:-1] if line.endswith(b"\n") else line) is not None


@dataclass(slots=True)
class _Job:
    """One input being searched."""

    io: BuiltinIO
    finder: Finder
    parsed: Parsed
    name: bytes
    named: bool
    count: int = 0
    line: int = 1
    binary: bool = False

    def run(self, descriptor: int) -> bool:
        """Search an input; whether a line was selected."""
        for block in whole_lines(descriptor):
            self.binary = self.binary or b"\0" in block
            if self.binary:
                # As GNU: once a NUL was seen, it ends a line like a line end does.
                block = block.replace(b"\0", b"\n")
            if "l" in self.parsed or (self.binary and "c" not in self.parsed):
                self.count = 1 if next(self._selected(block), None) else 0
                if self.count:
                    break
            elif "c" in self.parsed:
                self.count += self._counted(block)
            elif self.named or "n" in self.parsed:
                self._show(block)
            else:
                self._copy(block)
        self._finish()
        return self.count > 0

    def _selected(self, block: bytes) -> Iterator[Span]:
        """Spans of selected lines; with `-v` one may hold several lines."""
        spans = self.finder(block)
        return _between(block, spans) if "v" in self.parsed else spans

    def _counted(self, block: bytes) -> int:
        matching = count_of(self.finder, block)
        return _count_lines(block) - matching if "v" in self.parsed else matching

    def _copy(self, block: bytes) -> None:
        pieces = [block[start:end] for start, end in self._selected(block)]
        if pieces:
            self.count = 1
            self.io.write(_ended(b"".join(pieces)))

    def _show(self, block: bytes) -> None:
        """Selected lines with the name or their number before them."""
        prefix = self.name + b":" if self.named else b""
        numbered = "n" in self.parsed
        pieces: list[bytes] = []
        seen = 0
        for first, last in self._selected(block):
            for start, end in _all_lines(block, first, last) if "v" in self.parsed else [(first, last)]:
                if numbered:
                    self.line += block.count(b"\n", seen, start)
                    seen = start
                    pieces.append(b"%b%d:" % (prefix, self.line))
                else:
                    pieces.append(prefix)
                pieces.append(block[start:end])
        if numbered:
            self.line += block.count(b"\n", seen)
        if pieces:
            self.count = 1
            self.io.write(_ended(b"".join(pieces)))

    def _finish(self) -> None:
        if "l" in self.parsed:
            if self.count:
                self.io.write(self.name + b"\n")
        elif "c" in self.parsed:
            self.io.write((self.name + b":" if self.named else b"") + b"%d\n" % self.count)
        elif self.binary and self.count:
            self.io.error(f"{decode(self.name)}: binary file matches")


def _between(block: bytes, spans: Iterator[Span]) -> Iterator[Span]:
    """What is in no span: one line or more at a time."""
    at = 0
    for start, end in spans:
        if at < start:
            yield at, start
        at = end
    if at < len(block):
        yield at, len(block)


def _count_lines(block: bytes) -> int:
    return block.count(b"\n") + (not block.endswith(b"\n"))


def whole_lines(descriptor: int) -> Iterator[bytes]:
    """The input in blocks that end where a line does, but for the last."""
    held: list[bytes] = []
    for block in blocks(descriptor):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*held, block[:end]])
            held = [block[end:]] if end < len(block) else []
        else:
            held.append(block)
    if held:
        yield b"".join(held)


def _ended(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"
