"""cut: fields or bytes of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import each
from pi_shell_engine.builtins.interface import BLOCK, BuiltinError, encode
from pi_shell_engine.streams import read

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

CUT = Flags(valued="dfc")
_RANGE = re.compile(r"(\d*)(-?)(\d*)")
END = 1 << 62


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags, and a command without -f or -c."""
    found = CUT.check(entry, words)
    if found.certain and len({"f", "c"} & found.values.keys()) != 1:
        raise entry.unsupported("it without exactly one of -f and -c")


def cut(io: BuiltinIO) -> int:
    """Fields or bytes of every line."""
    check(io.entry, io.argv)
    parsed = CUT.read(io)
    delimiter = encode(parsed.value("d") if parsed.value("d") is not None else "\t")  # type: ignore[arg-type]
    fields = parsed.value("f")
    if "d" in parsed.values and fields is None:
        raise BuiltinError("an input delimiter may be specified only when operating on fields")
    if len(delimiter) > 1:
        raise BuiltinError("the delimiter must be a single character")
    spans = ranges(fields if fields is not None else parsed.value("c") or "", what="field" if fields else "byte")
    pick = _fields(delimiter or b"\0", spans) if fields is not None else _bytes(spans)
    done = 0
    for _, descriptor in each(io, parsed.operands):
        _per_line(io, descriptor, pick)
        done += 1
    return 0 if done == (len(parsed.operands) or 1) else 1


def _per_line(io: BuiltinIO, descriptor: int, pick: Callable[[list[bytes]], list[bytes]]) -> None:
    held = b""
    while block := read(descriptor, BLOCK // 4):
        *complete, held = (held + block).split(b"\n")
        if complete:
            io.write(b"\n".join(pick(complete)) + b"\n")
    if held:
        io.write(pick([held])[0] + b"\n")


def ranges(text: str, what: str = "field") -> list[tuple[int, int]]:
    """`1,3-4,7-` as spans from 0, end excluded, in order, overlaps joined."""
    spans = []
    for part in re.split(r"[, ]", text):
        found = _RANGE.fullmatch(part)
        if found is None or part in ("", "-"):
            raise BuiltinError(f"invalid {what} value '{part}'" if part else f"invalid {what} range")
        low = int(found[1] or 1)
        high = int(found[3]) if found[3] else END if found[2] else low
        if not low:
            raise BuiltinError(
                "fields are numbered from 1" if what == "field" else "byte/character positions are numbered from 1"
            )
        if high < low:
            raise BuiltinError("invalid decreasing range")
        spans.append((low - 1, high))
    return _joined(spans)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _bytes(spans: list[tuple[int, int]]) -> Callable[[list[bytes]], list[bytes]]:
    if len(spans) == 1:
        low, high = spans[0]
        return lambda lines: [line[low:high] for line in lines]
    return lambda lines: [b"".join(line[low:high] for low, high in spans) for line in lines]


def _fields(delimiter: bytes, spans: list[tuple[int, int]]) -> Callable[[list[bytes]], list[bytes]]:
    last = max(high for _, high in spans)
    most = -1 if last >= END else last
    if len(spans) == 1 and spans[0][1] - spans[0][0] == 1:
        at = spans[0][0]

        def one(lines: list[bytes]) -> list[bytes]:
            found = []
            for line in lines:
                parts = line.split(delimiter, most)
                found.append(parts[at] if at < len(parts) else line if len(parts) == 1 else b"")
            return found

        return one

    def several(lines: list[bytes]) -> list[bytes]:
        found = []
        for line in lines:
            parts = line.split(delimiter, most)
            if len(parts) == 1:
                found.append(line)
                continue
            found.append(delimiter.join([part for low, high in spans for part in parts[low:high]]))
        return found

    return several
