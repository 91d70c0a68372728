"""wc and uniq."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from itertools import chain, compress, islice
from operator import ne, sub
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import blocks, each
from pi_shell_engine.builtins.interface import BuiltinError, encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.flags import Parsed
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

WC, UNIQ = Flags("lwcm"), Flags("cdui")
WIDTH = 7
"""Columns of a count where GNU's would depend on the sizes of files."""


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    (WC if entry.name == "wc" else UNIQ).check(entry, words)


def wc(io: BuiltinIO) -> int:
    """Lines, words, characters and bytes, in this order, as far as asked for; without flags all but characters."""
    parsed = WC.read(io)
    wanted = [letter for letter in "lwmc" if letter in parsed] or ["l", "w", "c"]
    bare = len(wanted) == 1 and len(parsed.operands) <= 1 and parsed.operands in ([], ["-"])
    if not bare:
        io.hint("wc-width")
    total = dict.fromkeys(wanted, 0)
    done = 0

    def folder(name: str) -> None:
        io.error(f"{name}: {os.strerror(errno.EISDIR)}")
        io.write(_row(dict.fromkeys(wanted, 0), wanted, name, bare=False))

    for operand, descriptor in each(io, parsed.operands, folder=folder):
        counts = _counts(descriptor, wanted)
        for letter in wanted:
            total[letter] += counts[letter]
        io.write(_row(counts, wanted, operand if parsed.operands else "", bare=bare))
        done += 1
    if len(parsed.operands) > 1:
        io.write(_row(total, wanted, "total", bare=False))
    return 0 if done == (len(parsed.operands) or 1) else 1


def _row(counts: dict[str, int], wanted: list[str], name: str, *, bare: bool) -> bytes:
    width = 0 if bare else WIDTH
    figures = " ".join(str(counts[letter]).rjust(width) for letter in wanted)
    return encode(f"{figures} {name}".rstrip() if not name else f"{figures} {name}") + b"\n"


def _counts(descriptor: int, wanted: list[str]) -> dict[str, int]:
    counts = dict.fromkeys("lwmc", 0)
    in_word = False
    for block in blocks(descriptor):
        counts["c"] += len(block)
        if "l" in wanted:
            counts["l"] += block.count(b"\n")
        if "m" in wanted:
            counts["m"] += len(block) - len(block.translate(None, _NOT_CONTINUATION))
        if "w" in wanted:
            text = block.translate(None, _UNPRINTABLE)
            counts["w"] += len(text.split())
            # A word that goes on from the block before was counted there.
            counts["w"] -= in_word and bool(text) and not text[:1].isspace()
            in_word = not text[-1:].isspace() if text else in_word
    counts["m"] = counts["c"] - counts["m"] if "m" in wanted else 0
    return counts


_NOT_CONTINUATION = bytes(range(0x80, 0xC0))
_UNPRINTABLE = bytes([*range(9), *range(14, 32), 127])
"""Bytes that make no word."""


def uniq(io: BuiltinIO) -> int:
    """Of equal lines in a row one; `-c` with their number, `-d` only repeated ones, `-u` only others."""
    parsed = UNIQ.read(io)
    if len(parsed.operands) > 2:
        raise BuiltinError(f"extra operand '{parsed.operands[2]}'")
    if len(parsed.operands) == 2:
        raise io.entry.unsupported("a second operand", "redirect its output with >")
    done = 0
    for _, descriptor in each(io, parsed.operands):
        _uniq(io, descriptor, parsed)
        done += 1
    return 0 if done else 1


def _uniq(io: BuiltinIO, descriptor: int, parsed: Parsed) -> None:
    count, first = 0, b""
    for lines in _pieces(descriptor):
        counts, firsts = _runs(lines, count, first, fold="i" in parsed)
        count, first = counts.pop(), firsts.pop()
        io.write(_shown(counts, firsts, parsed))
    if count:
        io.write(_shown([count], [first], parsed))


def _pieces(descriptor: int) -> Iterator[list[bytes]]:
    """The lines of the input without their line ends, as many at a time as a block has."""
    held = b""
    for block in blocks(descriptor):
        *complete, held = (held + block if held else block).split(b"\n")
        if complete:
            yield complete
    if held:
        yield [held]


def _runs(lines: list[bytes], count: int, first: bytes, *, fold: bool) -> tuple[list[int], list[bytes]]:
    """Runs of equal lines, as their lengths and first lines, after a run that has begun (`count` 0: none has)."""
    if count:
        lines = [first, *lines]
    keys = list(map(bytes.lower, lines)) if fold else lines
    starts = [0, *compress(range(1, len(lines)), map(ne, keys, islice(keys, 1, None)))]
    counts = list(map(sub, [*starts[1:], len(lines)], starts))
    if count:
        counts[0] += count - 1
    firsts = lines if len(starts) == len(lines) else [lines[at] for at in starts]
    return counts, firsts


def _shown(counts: list[int], firsts: list[bytes], parsed: Parsed) -> bytes:
    if "d" in parsed or "u" in parsed:
        wanted = [
            (count, line)
            for count, line in zip(counts, firsts, strict=True)
            if not (("d" in parsed and count == 1) or ("u" in parsed and count > 1))
        ]
        counts, firsts = [count for count, _ in wanted], [line for _, line in wanted]
    if not firsts:
        return b""
    if "c" in parsed:
        return (b"%7d %b\n" * len(firsts)) % tuple(chain.from_iterable(zip(counts, firsts, strict=True)))
    return b"\n".join(firsts) + b"\n"
