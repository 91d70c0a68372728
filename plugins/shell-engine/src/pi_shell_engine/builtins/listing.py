"""ls: one name a line, a `/` after directories, ordinal order."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.flags import Flags
from pi_shell_engine.builtins.interface import encode, reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.builtins.flags import Parsed
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

FLAGS = Flags("aA1lr")


def ls(io: BuiltinIO) -> int:
    """Names of files and of what is in directories; files first, each directory under its own heading if several."""
    parsed = FLAGS.read(io)
    if "l" in parsed:
        io.hint("ls-long")
    status = 0
    files: list[str] = []
    folders: list[str] = []
    for operand in parsed.operands or ["."]:
        try:
            is_folder = stat.S_ISDIR(os.stat(io.resolve(operand)).st_mode)
        except OSError as error:
            if not operand or not os.path.islink(io.resolve(operand)):
                io.error(f"cannot access {quote(operand)}: {reason(error)}")
                status = 2
                continue
            is_folder = False
        (folders if is_folder else files).append(operand)
    reverse = "r" in parsed
    files.sort(key=encode, reverse=reverse)
    folders.sort(key=encode, reverse=reverse)
    io.write(b"".join(encode(name) + b"\n" for name in files))
    headed = len(parsed.operands) > 1
    for at, folder in enumerate(folders):
        head = (b"\n" if at or files else b"") + encode(folder) + b":\n" if headed else b""
        try:
            names = _names(io, folder, parsed)
        except OSError as error:
            io.error(f"cannot open directory {quote(folder)}: {reason(error)}")
            status = max(status, 2 if folder in parsed.operands else 1)
            continue
        io.write(head + b"".join(name + b"\n" for name in names))
    return status


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse unknown flags."""
    FLAGS.check(entry, words)


def _names(io: BuiltinIO, folder: str, parsed: Parsed) -> list[bytes]:
    """What is in a directory, as it is printed."""
    everything = _shows_all(parsed.given)
    found: list[bytes] = [b"./", b"../"] if everything == "a" else []
    with os.scandir(io.resolve(folder)) as entries:
        for entry in entries:
            if everything or not entry.name.startswith("."):
                found.append(encode(entry.name) + (b"/" if _is_folder(entry) else b""))
    if any(name.endswith(b"/") for name in found):
        io.hint("ls-slash")
    return sorted(found, key=lambda name: name.rstrip(b"/"), reverse="r" in parsed)


def _shows_all(given: str) -> str:
    """The last of `-a` and `-A`, or nothing."""
    return next((letter for letter in reversed(given) if letter in "aA"), "")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def quote(name: str) -> str:
    """A name in a message, as GNU commands show it."""
    return "'" + name.replace("'", "'\\''") + "'"
