"""find: names below a directory, in ordinal order, `/` between parts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.globs import compiled
from pi_shell_engine.builtins.interface import encode, reason
from pi_shell_engine.builtins.listing import quote

if TYPE_CHECKING:
    import re

    from pi_shell_engine.builtins.interface import BuiltinIO, Entry

CHUNK = 512
"""Names to write at once."""


@dataclass(frozen=True, slots=True)
class _Query:
    """Where to look, and what to show: a type, names."""

    roots: list[str]
    kind: str
    names: list[re.Pattern[str]]


def find(io: BuiltinIO) -> int:
    """Every file below the starting points that fits; 1 when one could not be looked into."""
    query = _query(io.entry, list(io.argv[1:]))
    search = _Search(io, query)
    held: list[bytes] = []
    for path in search.run():
        held.append(encode(path) + b"\n")
        if len(held) == CHUNK:
            io.write(b"".join(held))
            held.clear()
    io.write(b"".join(held))
    return search.status


def check(entry: Entry, words: Sequence[str | None]) -> None:
    """Refuse tests and actions outside the contract where all words are known."""
    known = [word for word in words[1:] if word is not None]
    if len(known) == len(words) - 1:
        _query(entry, known)
        return
    for word in known:
        if word.startswith("-") and word not in ("-type", "-name", "-") and len(word) > 2 and word[1:].isalpha():
            raise entry.unsupported(word)


def _query(entry: Entry, words: list[str]) -> _Query:
    roots: list[str] = []
    while words and not (words[0].startswith("-") and len(words[0]) > 1) and words[0] not in ("!", "(", ")", ","):
        roots.append(words.pop(0))
    kind, names = "", []
    while words:
        test = words.pop(0)
        if test not in ("-type", "-name"):
            raise entry.unsupported(test)
        if not words:
            raise entry.unsupported(f"{test} without a value")
        value = words.pop(0)
        if test == "-name":
            names.append(compiled(value))
        elif value not in ("f", "d"):
            raise entry.unsupported(f"-type {value}")
        else:
            kind = value if kind in ("", value) else "none"
    return _Query(roots or ["."], kind, names)


class _Search:
    """One walk; `status` is 1 as soon as something could not be looked into."""

    def __init__(self, io: BuiltinIO, query: _Query) -> None:
        self._io = io
        self._query = query
        self.status = 0

    def run(self) -> Iterator[str]:
        for root in self._query.roots:
            try:
                mode = os.lstat(self._io.resolve(root)).st_mode
            except OSError as error:
                self._complain(root, error)
                continue
            shown = self._io.paths.slashed(root)
            if self._fits(os.path.basename(shown.rstrip("/")) or shown, _kind(mode)):
                yield shown
            if stat.S_ISDIR(mode):
                yield from self._below(shown)

    def _below(self, folder: str) -> Iterator[str]:
        """Depth first with a stack of our own: trees are deeper than Python's."""
        stack = [iter(self._entries(folder))]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
                continue
            path, name, kind = found
            if self._fits(name, kind):
                yield path
            if kind == "d":
                stack.append(iter(self._entries(path)))

    def _entries(self, folder: str) -> list[tuple[str, str, str]]:
        try:
            with os.scandir(self._io.resolve(folder)) as entries:
                found = [(entry.name, _entry_kind(entry)) for entry in entries]
        except OSError as error:
            self._complain(folder, error)
            return []
        found.sort(key=lambda pair: encode(pair[0]))
        base = folder if folder.endswith("/") else folder + "/"
        return [(base + name, name, kind) for name, kind in found]

    def _fits(self, name: str, kind: str) -> bool:
        wanted = self._query.kind
        return wanted in ("", kind) and all(pattern.fullmatch(name) for pattern in self._query.names)

    def _complain(self, path: str, error: OSError) -> None:
        self._io.error(f"{quote(path)}: {reason(error)}")
        self.status = 1


def _entry_kind(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_dir(follow_symlinks=False):
            return "d"
        return "f" if entry.is_file(follow_symlinks=False) else "o"
    except OSError:
        return "o"


def _kind(mode: int) -> str:
    return "d" if stat.S_ISDIR(mode) else "f" if stat.S_ISREG(mode) else "o"
