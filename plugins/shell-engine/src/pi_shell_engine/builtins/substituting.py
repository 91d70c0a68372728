"""sed: one substitution, `s/RE/REPL/` with `g` and `i`."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.dialect import announce, malformed, regex
from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import each
from pi_shell_engine.builtins.interface import BuiltinError, encode
from pi_shell_engine.builtins.matching import whole_lines
from pi_shell_engine.builtins.patterns import can_be_empty, in_lines, literal_in

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

SED = Flags()
_ONLY = "only s/PATTERN/REPLACEMENT/ with the flags g and i is"
_REPLACEMENT = re.compile(rb"\\(x[0-9A-Fa-f]{1,2}|.)|&|[^\\&]+", re.DOTALL)
_CONTROL = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"f": b"\f", b"v": b"\v"}


@dataclass(frozen=True, slots=True)
class Substitution:
    """A script taken apart."""

    pattern: str
    replacement: str
    everywhere: bool
    fold: bool


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse flags and scripts outside the contract."""
    found = SED.check(entry, words)
    if not found.words:
        if found.certain:
            raise entry.unsupported("it without a script", _ONLY)
        return
    if found.words[0] is not None:
        _parse(entry, found.words[0])


def sed(io: BuiltinIO) -> int:
    """Substitute in every line of every operand; 2 when one could not be read."""
    check(io.entry, io.argv)
    script, *operands = SED.read(io).operands
    wanted = _parse(io.entry, script)
    announce(io, wanted.pattern, extended=False)
    pattern = regex(io, wanted.pattern, fold=wanted.fold)
    template = _template(io, wanted.replacement, pattern.groups)
    substitute = _substitute(pattern, template, everywhere=wanted.everywhere)
    done, unended = 0, False

    def folder(name: str) -> None:
        raise BuiltinError(f"couldn't read {name}: {os.strerror(errno.EISDIR)}", 4)

    for _, descriptor in each(io, operands, "can't read ", folder):
        for block in whole_lines(descriptor):
            if unended:
                io.write(b"\n")
            unended = not block.endswith(b"\n")
            made = substitute(block + b"\n" if unended else block)
            io.write(made[:-1] if unended else made)
        done += 1
    return 0 if done == (len(operands) or 1) else 2


Template = list["bytes | int"]
"""A replacement as bytes and numbers of groups; 0 is the whole match."""
Substitute = Callable[[bytes], bytes]
"""Substitutes in a block of lines that all have their line ends."""


def _substitute(pattern: re.Pattern[bytes], template: Template, *, everywhere: bool) -> Substitute:
    """The fastest way to do it: in the whole block when no match can contain a line end, else line by line."""
    inside = in_lines(pattern)
    text = template[0] if len(template) == 1 and isinstance(template[0], bytes) else None
    if inside is None:
        return lambda block: _by_line(pattern, template, block, 0 if everywhere else 1)
    if not everywhere:
        return lambda block: _first_of_each(inside.line, template, block)
    if text is not None and text and literal_in(pattern) == pattern.pattern:
        return lambda block: block.replace(pattern.pattern, text)
    if can_be_empty(pattern):
        return lambda block: _each_match(inside.alone, template, block[:-1]) + b"\n"
    repl = _filled(template) if text is None else text.replace(b"\\", rb"\\")
    # Without the last line end: an empty match after it would be one of a line that is not there.
    return lambda block: inside.alone.sub(repl, block[:-1]) + b"\n"


def _first_of_each(line: re.Pattern[bytes], template: Template, block: bytes) -> bytes:
    pieces: list[bytes] = []
    at = 0
    for found in line.finditer(block):
        start, end = found.span(1)
        pieces.append(block[at:start])
        # Group 1 is the whole match, so those of the pattern come after it.
        pieces += [part if isinstance(part, bytes) else found[part + 1] or b"" for part in template]
        at = end
    pieces.append(block[at:])
    return b"".join(pieces)


def _by_line(pattern: re.Pattern[bytes], template: Template, block: bytes, count: int) -> bytes:
    lines = block[:-1].split(b"\n")
    return b"\n".join([_each_match(pattern, template, line, count) for line in lines]) + b"\n"


def _each_match(pattern: re.Pattern[bytes], template: Template, data: bytes, count: int = 0) -> bytes:
    """Substitute as GNU does: no empty match directly after another match, where Python has one."""
    fill = _filled(template)
    pieces: list[bytes] = []
    at, last = 0, -1
    for found in pattern.finditer(data):
        start, end = found.span()
        if start == end == last:
            continue
        pieces += [data[at:start], fill(found)]
        at = last = end
        if count:
            break
    pieces.append(data[at:])
    return b"".join(pieces)


def _filled(template: Template) -> Callable[[re.Match[bytes]], bytes]:
    if len(template) == 1 and isinstance(template[0], bytes):
        text = template[0]
        return lambda found: text
    return lambda found: b"".join([part if isinstance(part, bytes) else found[part] or b"" for part in template])


def _parse(entry: Entry, script: str) -> Substitution:
    text = script.strip()
    if not text.startswith("s") or len(text) < 2 or text[1] in "\\\n":
        raise entry.unsupported(f"the script {script!r}", _ONLY)
    mark, parts, at = text[1], [""], 2
    while at < len(text) and len(parts) < 3:
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            parts[-1] += text[at] if text[at] == mark and mark not in "&\\" else "\\" + text[at]
        elif char == mark and not (len(parts) == 1 and _in_brackets(parts[0])):
            parts.append("")
        else:
            parts[-1] += char
        at += 1
    flags = text[at:] if len(parts) == 3 else ""
    if len(parts) < 3 or not parts[0]:
        raise entry.unsupported(f"the script {script!r}", "write s/PATTERN/REPLACEMENT/")
    if set(flags) - set("giI"):
        raise entry.unsupported(f"the flags {flags!r} of a substitution", "it takes g and i")
    return Substitution(parts[0], parts[1], "g" in flags, "i" in flags.lower())


def _in_brackets(pattern: str) -> bool:
    """Whether what has been read so far of a pattern ends inside `[…]`, where a delimiter stands for itself."""
    return re.fullmatch(r"(?:\\.|[^\\\[]|\[\^?\]?[^\]]*\])*\[\^?\]?[^\]]*", pattern, re.DOTALL) is not None


def _template(io: BuiltinIO, replacement: str, groups: int) -> Template:
    """The replacement as bytes and numbers of groups; 0 is the whole match."""
    parts: Template = []
    for found in _REPLACEMENT.finditer(encode(replacement)):
        piece, escaped = found[0], found[1]
        if piece == b"&":
            parts.append(0)
        elif escaped is None:
            parts.append(piece)
        elif escaped.isdigit():
            if int(escaped) > groups:
                asked = f"\\{int(escaped)} in the replacement"
                raise malformed(io, f"{asked}, but the pattern has {groups} groups: write ( ) without backslashes")
            parts.append(int(escaped))
        elif escaped in b"LUElu" and escaped:
            raise BuiltinError(f"\\{escaped.decode()} in a replacement is not supported; use python to change case", 1)
        else:
            parts.append(
                bytes.fromhex(f"{escaped[1:].decode():0>2}") if len(escaped) > 1 else _CONTROL.get(escaped, escaped)
            )
    return _merged(parts)


def _merged(parts: Template) -> Template:
    merged: Template = []
    for part in parts:
        if isinstance(part, bytes) and merged and isinstance(merged[-1], bytes):
            merged[-1] += part
        else:
            merged.append(part)
    return merged or [b""]
