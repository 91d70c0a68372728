"""tr: sets of bytes, translated, deleted, squeezed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import blocks
from pi_shell_engine.builtins.interface import BuiltinError, encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

TR = Flags("dsc", permute=False)


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags and missing sets."""
    found = TR.check(entry, words)
    if found.certain and not found.words:
        raise entry.unsupported("it without a set of characters")


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
    check(io.entry, io.argv)
    parsed = TR.read(io)
    delete, squeeze, complement = ("d" in parsed, "s" in parsed, "c" in parsed)
    first = encode(parsed.operands[0])
    second = encode(parsed.operands[1]) if len(parsed.operands) > 1 else None
    _judge_sets(parsed.operands, delete=delete, squeeze=squeeze)
    source, target = Set.parse(first), Set.parse(second or b"")
    if source.fillers:
        raise BuiltinError("the [c*] repeat construct may not appear in string1")
    old = source.members()
    if complement:
        old = bytes(sorted(set(range(256)) - set(old)))
    if delete:
        Translation(None, old, target.members() if squeeze else b"").run(io)
    elif second is None:
        Translation(None, b"", old).run(io)
    else:
        target.judge(source, complement=complement)
        new = target.members(room=len(old))
        if not new and old:
            raise BuiltinError("when not truncating set1, string2 must be non-empty")
        _judge_complement(source, old, new, complement=complement)
        Translation(_table(old, new), b"", new if squeeze else b"").run(io)
    return 0


def _judge_complement(source: Set, old: bytes, new: bytes, *, complement: bool) -> None:
    mapped = new[: len(old)] + new[-1:] * (len(old) - len(new))
    if complement and source.classes and len(set(mapped)) > 1:
        raise BuiltinError(
            "when translating with complemented character classes,\n"
            "string2 must map all characters in the domain to one"
        )


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


@dataclass(slots=True)
class Set:
    r"""A set taken apart: ranges, `[:class:]`, `[=c=]`, `[c*n]`, escapes.

    `classes` are the names of classes with the number of bytes before each, `equivalent` whether there is a
    `[=c=]`, `fillers` the places of `[c*]` among `pieces`, of which the first grows to the room there is.
    """

    pieces: list[bytes] = field(default_factory=list)
    classes: list[tuple[bytes, int]] = field(default_factory=list)
    equivalent: bool = False
    fillers: list[int] = field(default_factory=list)

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Take a set apart; raises `BuiltinError`."""
        made = cls()
        for found in _SET.finditer(text):
            if found[1] is not None:
                if found[1] not in CLASSES:
                    raise BuiltinError(f"invalid character class '{found[1].decode('latin-1')}'")
                made.classes.append((found[1], sum(map(len, made.pieces))))
                made.pieces.append(CLASSES[found[1]])
            elif found[2] is not None:
                made.equivalent = True
                made.pieces.append(found[2])
            elif found[3] is not None:
                made._repeat(_byte(found[3]), found[4])
            else:
                made.pieces.append(_range(found[5], found[6]))
        return made

    def _repeat(self, char: bytes, digits: bytes) -> None:
        count = int(digits, 8 if digits.startswith(b"0") else 10) if digits else 0
        if not count:
            self.fillers.append(len(self.pieces))
        self.pieces.append(char * (count or 1))

    def members(self, room: int = 0) -> bytes:
        """Its bytes in order."""
        pieces = list(self.pieces)
        for place in self.fillers[:1]:
            rest = sum(map(len, pieces)) - len(pieces[place])
            pieces[place] = pieces[place][:1] * max(room - rest, 0)
        return b"".join(pieces)

    def judge(self, source: Set, *, complement: bool) -> None:
        """Whether the second set can be the target of a translation from `source`."""
        if len(self.fillers) > 1:
            raise BuiltinError("only one [c*] repeat construct may appear in string2")
        if self.equivalent:
            raise BuiltinError("[=c=] expressions may not appear in string2 when translating")
        if any(name not in (b"upper", b"lower") for name, _ in self.classes):
            raise BuiltinError(
                "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'"
            )
        cased = {place for name, place in source.classes if name in (b"upper", b"lower")}
        if any(complement or place not in cased for _, place in self.classes):
            raise BuiltinError("misaligned [:upper:] and/or [:lower:] construct")


def _range(low: bytes, high: bytes | None) -> bytes:
    first = _byte(low)
    if high is None:
        return first
    last = _byte(high)
    if last < first:
        shown = f"{low.decode('latin-1')}-{high.decode('latin-1')}"
        raise BuiltinError(f"range-endpoints of '{shown}' are in reverse collating sequence order")
    return bytes(range(first[0], last[0] + 1))


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


@dataclass(frozen=True, slots=True)
class Translation:
    """What happens to bytes: a table, then those that go, then those of which runs shrink to one."""

    table: bytes | None
    gone: bytes
    shrink: bytes

    def run(self, io: BuiltinIO) -> None:
        """Translate the standard input to the standard output."""
        squeezed = squeezer(self.shrink)
        last = -1
        for block in blocks(io.stdin):
            data = block.translate(self.table, self.gone)
            if self.shrink and data:
                end = data[-1]
                data = squeezed(data, last)
                last = end
            io.write(data)


Squeeze = Callable[[bytes, int], bytes]
"""Shrinks runs in some bytes, given the byte before them (-1 for none)."""
FEW = 3
"""Different bytes up to which replacing pairs, byte by byte, is fastest."""


def squeezer(shrink: bytes) -> Squeeze:
    """How runs of these bytes shrink to one."""
    chars = sorted(set(shrink))

    def by_pairs(data: bytes, last: int) -> bytes:
        if last in chars:
            data = data.lstrip(bytes([last]))
        for char in chars:
            pair = bytes([char, char])
            while pair in data:
                data = data.replace(pair * 8, pair[:1]).replace(pair, pair[:1])
        return data

    if len(chars) <= FEW:
        return by_pairs
    inside = bytes(0xFF if code in chars else 0 for code in range(256))
    pattern = re.compile(rb"([" + b"".join(rb"\x%02x" % char for char in chars) + rb"])\1+", re.DOTALL)

    def by_numbers(data: bytes, last: int) -> bytes:
        # All bytes at once, as one number: a byte equal to the one before it becomes a byte that occurs nowhere,
        # which then is deleted. Several times as fast as a regular expression with a backward reference.
        if last in chars:
            data = data.lstrip(bytes([last]))
        unused = next((code for code in _RARE if code not in data), None)
        if unused is None:
            return pattern.sub(rb"\1", data)
        size = len(data)
        number = int.from_bytes(data, "little")
        differences = (number ^ (number << 8)).to_bytes(size + 1, "little")[:size]
        marks = int.from_bytes(differences.translate(_ZERO_TO_ONES), "little")
        marks &= int.from_bytes(data.translate(inside), "little")
        # The first byte has none before it: it would be compared with a zero.
        marks &= ~0xFF
        spare = int.from_bytes(bytes([unused]) * size, "little")
        return (number ^ ((number ^ spare) & marks)).to_bytes(size, "little").translate(None, bytes([unused]))

    return by_numbers


_RARE = [0xFE, 0xFF, 0xC0, 0xC1, *range(1, 9), *range(14, 32), *range(0x80, 0x100), 0, 127]
_ZERO_TO_ONES = bytes([0xFF, *[0] * 255])
