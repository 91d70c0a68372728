"""true, false, pwd, basename, dirname, which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.interface import encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

NO_FLAGS = Flags()


def true(io: BuiltinIO) -> int:
    """Success, whatever the words."""
    return 0


def false(io: BuiltinIO) -> int:
    """Failure, whatever the words."""
    return 1


def pwd(io: BuiltinIO) -> int:
    """The working directory, with `/` between its parts."""
    NO_FLAGS.read(io)
    io.write(encode(io.paths.slashed(io.cwd)) + b"\n")
    return 0


def basename(io: BuiltinIO) -> int:
    """The last part of a path, without a suffix when one is given."""
    operands = NO_FLAGS.read(io).operands
    _count(io.entry, len(operands), 1, 2)
    name = _last_part(io.paths.slashed(operands[0]))
    suffix = operands[1] if len(operands) > 1 else ""
    if suffix and name != suffix and name.endswith(suffix):
        name = name[: -len(suffix)]
    io.write(encode(name) + b"\n")
    return 0


def dirname(io: BuiltinIO) -> int:
    """All of each path but its last part."""
    operands = NO_FLAGS.read(io).operands
    _count(io.entry, len(operands), 1, None)
    for operand in operands:
        path = io.paths.slashed(operand)
        head = path.rstrip("/").rpartition("/")[0]
        shown = head.rstrip("/") or ("/" if path.startswith("/") else ".")
        io.write(encode(shown) + b"\n")
    return 0


def which(io: BuiltinIO) -> int:
    """The file each name would start; 1 when one would start none."""
    operands = NO_FLAGS.read(io).operands
    _count(io.entry, len(operands), 1, None)
    missing = 0
    for name in operands:
        found = io.shell.programs(name, io)
        if found:
            io.write(encode(io.paths.slashed(found[0])) + b"\n")
        missing += not found
    return 1 if missing else 0


def check_flagless(entry: Entry, words: Sequence[str | None]) -> None:
    """For commands that take no flags."""
    NO_FLAGS.check(entry, words)


def check_named(entry: Entry, words: Sequence[str | None]) -> None:
    """For commands that take no flags and at least one operand."""
    found = NO_FLAGS.check(entry, words)
    if found.certain:
        _count(entry, len(found.words), 1, None)


def _count(entry: Entry, given: int, least: int, most: int | None) -> None:
    if given < least:
        raise entry.unsupported("it without an operand", "name one")
    if most is not None and given > most:
        raise entry.unsupported(f"more than {most} operands")


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] or ("/" if path.startswith("/") else "")
