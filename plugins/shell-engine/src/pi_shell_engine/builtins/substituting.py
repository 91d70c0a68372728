"""sed: one substitution, `s/RE/REPL/` with `g` and `i`."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.dialect import announce, malformed, regex
from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.inputs import each
from pi_shell_engine.builtins.interface import BuiltinError, encode
from pi_shell_engine.builtins.matching import finder_of, whole_lines

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
    finder = finder_of(pattern)
    count = 0 if wanted.everywhere else 1
    done, unended = 0, False

    def folder(name: str) -> None:
        raise BuiltinError(f"couldn't read {name}: {os.strerror(errno.EISDIR)}", 4)

    for _, descriptor in each(io, operands, "can't read ", folder):
        for block in whole_lines(descriptor):
            pieces: list[bytes] = [b"\n"] if unended else []
            unended = not block.endswith(b"\n")
            at = 0
            for start, end in finder(block):
                stop = end - block.endswith(b"\n", start, end)
                pieces += [block[at:start], _substituted(pattern, template, block[start:stop], count)]
                at = stop
            pieces.append(block[at:])
            io.write(b"".join(pieces))
        done += 1
    return 0 if done == (len(operands) or 1) else 2


def _substituted(pattern: re.Pattern[bytes], template: list[bytes | int], line: bytes, count: int) -> bytes:
    if len(template) == 1 and isinstance(template[0], bytes):
        text = template[0]
        return pattern.sub(lambda found: text, line, count=count)
    return pattern.sub(
        lambda found: b"".join(part if isinstance(part, bytes) else found[part] or b"" for part in template),
        line,
        count=count,
    )


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


def _template(io: BuiltinIO, replacement: str, groups: int) -> list[bytes | int]:
    """The replacement as bytes and numbers of groups; 0 is the whole match."""
    parts: list[bytes | int] = []
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


def _merged(parts: list[bytes | int]) -> list[bytes | int]:
    merged: list[bytes | int] = []
    for part in parts:
        if isinstance(part, bytes) and merged and isinstance(merged[-1], bytes):
            merged[-1] += part
        else:
            merged.append(part)
    return merged or [b""]
