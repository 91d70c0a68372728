"""The search without rg: the same files in the same order, lines matched by Python's `re`."""

import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import BinaryIO

from pi_files.errors import FileError
from pi_files.operations import FileOperations
from pi_files.walk import walk

from pi_tool_grep.dialect import compile_query
from pi_tool_grep.query import Collector, Line, Query, Scope

_CHUNK = 1 << 20
_CHECK_EVERY = 10_000
_WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def scan(
    operations: FileOperations, query: Query, scope: Scope, collector: Collector, check: Callable[[], None]
) -> None:
    """Fill the collector. `check` is called often and may raise to stop."""
    pattern = compile_query(query)
    for path in _paths(operations, query, scope, check):
        try:
            lines = _file_lines(operations, scope.root / path)
            found = list(_with_context(lines, pattern, query.context, collector.room + 1, check))
        except FileError:
            # It vanished or may not be read; rg passes over it as well.
            continue
        if found:
            collector.add(path, found)
        if collector.limited:
            return


def _paths(operations: FileOperations, query: Query, scope: Scope, check: Callable[[], None]) -> Iterator[str]:
    accepts = query.accepts()
    if scope.name:
        if accepts(scope.name):
            yield scope.name
        return
    for entry in walk(operations, scope.root, tool_file=".rgignore", check=check):
        if entry.kind == "file" and accepts(entry.path):
            yield entry.path


def _file_lines(operations: FileOperations, path: PurePath) -> Iterator[str]:
    """The lines of a text file; none of a binary one, which is one that has a NUL byte anywhere."""
    with operations.open(path) as file:
        first = file.read(_CHUNK)
        codec = _WIDE.get(first[:2])
        if codec:
            text = (first + file.read())[2:].decode(codec, "replace")
            yield from text.removesuffix("\n").split("\n") if text else ()
        elif not _has_nul(first, file):
            file.seek(len(codecs.BOM_UTF8) if first.startswith(codecs.BOM_UTF8) else 0)
            yield from _decoded(file)


def is_binary(operations: FileOperations, path: PurePath) -> bool:
    """Whether a file is passed over because of its content."""
    with operations.open(path) as file:
        first = file.read(_CHUNK)
        return first[:2] not in _WIDE and _has_nul(first, file)


def _has_nul(first: bytes, file: BinaryIO) -> bool:
    return b"\0" in first or any(b"\0" in chunk for chunk in iter(lambda: file.read(_CHUNK), b""))


def _decoded(file: BinaryIO) -> Iterator[str]:
    for line in file:
        # Bytes that are no UTF-8 match no letter, as in rg; unlike there, `.` and `[^x]` do match them.
        yield line.removesuffix(b"\n").decode("utf-8", "surrogateescape")


def _with_context(
    lines: Iterator[str], pattern: "re.Pattern[str]", context: int, room: int, check: Callable[[], None]
) -> Iterator[Line]:
    """Matching lines with those around them, until `room` lines have matched."""
    before: deque[Line] = deque(maxlen=context)
    after = 0
    for number, raw in enumerate(lines, 1):
        if number % _CHECK_EVERY == 0:
            check()
        text = raw.removesuffix("\r")
        found = pattern.search(text)
        if found:
            yield from before
            before.clear()
            yield Line(number, _clean(text), True, found.start())
            after = context
            room -= 1
            if room == 0:
                return
        elif after:
            yield Line(number, _clean(text), False)
            after -= 1
        elif context:
            before.append(Line(number, _clean(text), False))


def _clean(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
