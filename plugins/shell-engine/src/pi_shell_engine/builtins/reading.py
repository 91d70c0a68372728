"""cat, head, tail."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import blocks, each
from pi_shell_engine.builtins.interface import BLOCK, BuiltinError, encode
from pi_shell_engine.builtins.listing import quote
from pi_shell_engine.streams import read

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

CAT, LINES = Flags(), Flags(valued="n", number="n")


def cat(io: BuiltinIO) -> int:
    """The bytes of every operand."""
    operands = CAT.read(io).operands
    done = 0
    for name, descriptor in each(io, operands):
        if _feeds_itself(io, descriptor):
            io.error(f"{name or '-'}: input file is output file")
            continue
        for block in blocks(descriptor):
            io.write(block)
        done += 1
    return 0 if done == (len(operands) or 1) else 1


def _feeds_itself(io: BuiltinIO, descriptor: int) -> bool:
    """Whether there is something to read in the very file that is written to: copying it would never end."""
    source, target = os.fstat(descriptor), os.fstat(io.stdout)
    if not stat.S_ISREG(source.st_mode) or (source.st_dev, source.st_ino) != (target.st_dev, target.st_ino):
        return False
    return os.lseek(descriptor, 0, os.SEEK_CUR) < source.st_size


def head(io: BuiltinIO) -> int:
    """The first lines, 10 unless told otherwise; of the input no more is used than that."""
    count, operands = _wanted(io)
    return _of_each(io, operands, lambda descriptor: _head(io, descriptor, count), reads=count > 0)


def tail(io: BuiltinIO) -> int:
    """The last lines, 10 unless told otherwise."""
    count, operands = _wanted(io)
    return _of_each(io, operands, lambda descriptor: _tail(io, descriptor, count)) if count else 0


def check_cat(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    CAT.check(entry, words)


def check_lines(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags and counts that are no plain number."""
    value = LINES.check(entry, words).values.get("n")
    if value is not None:
        _number(entry, value)


def _wanted(io: BuiltinIO) -> tuple[int, list[str]]:
    parsed = LINES.read(io)
    value = parsed.value("n")
    return (10 if value is None else _number(io.entry, value)), parsed.operands


def _number(entry: Entry, text: str) -> int:
    if text[:1] in ("+", "-") and text[1:].isdigit():
        raise entry.unsupported(f"-n {text}", "give a plain number of lines")
    if not (text.isascii() and text.isdigit()):
        raise BuiltinError(f"invalid number of lines: '{text}'")
    return int(text)


def _of_each(io: BuiltinIO, operands: list[str], show: Callable[[int], None], *, reads: bool = True) -> int:
    """Show every operand, under its name when there are several; a directory can be named but not read."""
    headed = done = 0

    def head_of(operand: str) -> None:
        nonlocal headed
        if len(operands) > 1:
            name = "standard input" if operand == "-" else operand
            io.write(encode(("\n" if headed else "") + f"==> {name} <==\n"))
            headed += 1

    def folder(operand: str) -> None:
        nonlocal done
        head_of(operand)
        if not reads:
            done += 1
            return
        io.error(f"error reading {quote(operand)}: {os.strerror(errno.EISDIR)}")

    for operand, descriptor in each(io, operands, "cannot open ", folder):
        head_of(operand)
        show(descriptor)
        done += 1
    return 0 if done == (len(operands) or 1) else 1


def _head(io: BuiltinIO, descriptor: int, count: int) -> None:
    left, size = count, 64 * 1024
    while left:
        block = read(descriptor, size)
        if not block:
            return
        lines = block.count(b"\n")
        if lines < left:
            left -= lines
            io.write(block)
            size = BLOCK
            continue
        end = 0
        for _ in range(left):
            end = block.index(b"\n", end) + 1
        _give_back(descriptor, len(block) - end)
        io.write(block[:end])
        return


def _give_back(descriptor: int, unused: int) -> None:
    """Let whoever reads this input next begin where the lines ended, if it can be sought."""
    if unused:
        try:
            os.lseek(descriptor, -unused, os.SEEK_CUR)
        except OSError:
            return


def _tail(io: BuiltinIO, descriptor: int, count: int) -> None:
    kept: deque[bytes] = deque()
    counts: deque[int] = deque()
    total = 0
    _skip(descriptor, count)
    for block in blocks(descriptor):
        kept.append(block)
        counts.append(block.count(b"\n"))
        total += counts[-1]
        while len(kept) > 1 and total - counts[0] > count:
            total -= counts.popleft()
            kept.popleft()
    data = b"".join(kept)
    io.write(data[_start_of_last(data, count) :])


def _start_of_last(data: bytes, count: int) -> int:
    end = len(data) - data.endswith(b"\n")
    for _ in range(count):
        end = data.rfind(b"\n", 0, end)
        if end < 0:
            return 0
    return end + 1


def _skip(descriptor: int, count: int) -> None:
    """Go near the end of a large file at once: far enough before it to see the lines that are wanted."""
    try:
        here, end = os.lseek(descriptor, 0, os.SEEK_CUR), os.lseek(descriptor, 0, os.SEEK_END)
    except OSError:
        return
    at = end
    seen = 0
    while at > here and seen <= count:
        step = min(BLOCK, at - here)
        at -= step
        os.lseek(descriptor, at, os.SEEK_SET)
        seen += read(descriptor, step).count(b"\n")
    os.lseek(descriptor, at, os.SEEK_SET)
