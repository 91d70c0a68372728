"""cut and tr."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import blocks, each
from pi_shell_engine.builtins.interface import BLOCK, BuiltinError, encode
from pi_shell_engine.streams import read

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

CUT, TR = Flags(valued="dfc"), Flags("dsc", permute=False)
_RANGE = re.compile(r"(\d*)(-?)(\d*)")
END = 1 << 62


def check_cut(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags, and a command without -f or -c."""
    found = CUT.check(entry, words)
    if found.certain and len({"f", "c"} & found.values.keys()) != 1:
        raise entry.unsupported("it without exactly one of -f and -c")


def check_tr(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags and missing sets."""
    found = TR.check(entry, words)
    if found.certain and not found.words:
        raise entry.unsupported("it without a set of characters")


def cut(io: BuiltinIO) -> int:
    """Fields or bytes of every line."""
    check_cut(io.entry, io.argv)
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


# -- tr ----------------------------------------------------------------------------------------------------------------

CLASSES = {
    b"alnum": bytes(c for c in range(128) if chr(c).isalnum()),
    b"alpha": bytes(c for c in range(128) if chr(c).isalpha()),
    b"blank": b"\t ",
    b"cntrl": bytes([*range(32), 127]),
    b"digit": b"0123456789",
    b"graph": bytes(range(33, 127)),
    b"lower": bytes(range(97, 123)),
    b"print": bytes(range(32, 127)),
    b"punct": bytes(c for c in range(33, 127) if not chr(c).isalnum()),
    b"space": b"\t\n\v\f\r ",
    b"upper": bytes(range(65, 91)),
    b"xdigit": b"0123456789ABCDEFabcdef",
}
_SET = re.compile(
    rb"\[:(\w+):\]|\[=(.)=\]|\[(\\[0-7]{1,3}|\\.|[^\\])\*([0-9]*)\]|(\\[0-7]{1,3}|\\.|.)(?:-(\\[0-7]{1,3}|\\.|.))?",
    re.DOTALL,
)


def tr(io: BuiltinIO) -> int:
    """Every byte of the first set becomes its partner in the second, or goes (`-d`); runs shrink to one (`-s`)."""
    check_tr(io.entry, io.argv)
    parsed = TR.read(io)
    delete, squeeze, complement = ("d" in parsed, "s" in parsed, "c" in parsed)
    first = encode(parsed.operands[0])
    second = encode(parsed.operands[1]) if len(parsed.operands) > 1 else None
    _judge_sets(parsed.operands, delete=delete, squeeze=squeeze)
    source = members(first)
    if complement:
        source = bytes(c for c in range(256) if c not in set(source))
    table, gone, shrink = None, b"", b""
    if delete:
        gone = source
        shrink = members(second or b"") if squeeze else b""
    elif second is None:
        shrink = source
    else:
        target = members(second, room=len(source))
        if not target:
            raise BuiltinError("when not truncating set1, string2 must be non-empty")
        table = _table(source, target)
        shrink = target if squeeze else b""
    _translate(io, table, gone, shrink)
    return 0


def _judge_sets(operands: list[str], *, delete: bool, squeeze: bool) -> None:
    if len(operands) > 2:
        raise BuiltinError(f"extra operand '{operands[2]}'")
    if delete and not squeeze and len(operands) == 2:
        raise BuiltinError(
            f"extra operand '{operands[1]}'\nOnly one string may be given when deleting without squeezing repeats."
        )
    if len(operands) == 1 and not (delete or squeeze):
        raise BuiltinError(f"missing operand after '{operands[0]}'\nTwo strings must be given when translating.")
    if delete and squeeze and len(operands) == 1:
        raise BuiltinError(
            f"missing operand after '{operands[0]}'\n"
            "Two strings must be given when both deleting and squeezing repeats."
        )


def members(text: bytes, room: int = 0) -> bytes:
    r"""The bytes of a set, in order: ranges, `[:class:]`, `[=c=]`, `[c*n]`, escapes. `[c*]` fills up to `room`."""
    pieces: list[bytes] = []
    filler = -1
    for found in _SET.finditer(text):
        if found[1] is not None:
            if found[1] not in CLASSES:
                raise BuiltinError(f"invalid character class '{found[1].decode('latin-1')}'")
            pieces.append(CLASSES[found[1]])
        elif found[2] is not None:
            pieces.append(found[2])
        elif found[3] is not None:
            count = int(found[4], 8 if found[4].startswith(b"0") else 10) if found[4] else 0
            filler = len(pieces) if not count else filler
            pieces.append(_byte(found[3]) * (count or 1))
        elif found[6] is not None:
            low, high = _byte(found[5])[0], _byte(found[6])[0]
            if high < low:
                shown = f"{found[5].decode('latin-1')}-{found[6].decode('latin-1')}"
                raise BuiltinError(f"range-endpoints of '{shown}' are in reverse collating sequence order")
            pieces.append(bytes(range(low, high + 1)))
        else:
            pieces.append(_byte(found[5]))
    if filler >= 0:
        rest = sum(map(len, pieces)) - len(pieces[filler])
        pieces[filler] = pieces[filler][:1] * max(room - rest, 0)
    return b"".join(pieces)


_ESCAPES = {b"a": 7, b"b": 8, b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11}


def _byte(text: bytes) -> bytes:
    if len(text) == 1:
        return text
    body = text[1:]
    if body[:1].isdigit() and body[:1] < b"8":
        return bytes([int(body, 8) & 0xFF])
    return bytes([_ESCAPES.get(body, body[0])])


def _table(source: bytes, target: bytes) -> bytes:
    table = bytearray(range(256))
    padded = target + target[-1:] * (len(source) - len(target))
    for old, new in zip(source, padded, strict=False):
        table[old] = new
    return bytes(table)


def _translate(io: BuiltinIO, table: bytes | None, gone: bytes, shrink: bytes) -> None:
    runs = (
        re.compile(rb"([" + b"".join(rb"\x%02x" % c for c in sorted(set(shrink))) + rb"])\1+", re.DOTALL)
        if shrink
        else None
    )
    last = b""
    for block in blocks(io.stdin):
        data = block.translate(table, gone)
        if runs is not None and data:
            data = runs.sub(rb"\1", last + data)[len(last) :]
            last = (data[-1:] or last) if (data[-1:] or last) in [bytes([c]) for c in set(shrink)] else b""
        io.write(data)
