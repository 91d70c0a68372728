"""Replacements in a text, and what they look like as a diff.

The hunks come from the replacements themselves, so that their cost does not grow with the size of the file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

_LINE = re.compile("[^\n]*\n|[^\n]+")
_ENDING = "\r\n"
_CONTEXT = 4
_COMPARED = 2000
"""Lines of one region up to which equal lines inside it are looked for."""
_DETAILS = 32 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old` from index `old_start` on became `new` from index `new_start` on. Indices count from 0."""

    old_start: int
    old: Sequence[str]
    new_start: int
    new: Sequence[str]


def apply(text: str, changes: Sequence[Change]) -> str:
    """The text with all changes made; they are sorted and do not overlap."""
    pieces: list[str] = []
    position = 0
    for change in changes:
        pieces += (text[position : change.start], change.new)
        position = change.end
    return "".join([*pieces, text[position:]])


def describe(text: str, changes: Sequence[Change], path: str) -> dict[str, Any]:
    """`diff` for people (4 lines of context, line numbers), `patch` (unified), `firstChangedLine` in the new text."""
    lines = _lines(text)
    hunks = list(find_hunks(text, changes))
    details = {"diff": "\n".join(_diff(lines, hunks)), "patch": "".join(_patch(lines, hunks, path))}
    if sum(len(value) for value in details.values()) > _DETAILS:
        details = {key: _shortened(value, _DETAILS // 2) for key, value in details.items()}
    return {**details, "firstChangedLine": hunks[0].new_start + 1}


def find_hunks(text: str, changes: Sequence[Change]) -> Iterator[Hunk]:
    """Runs of changed lines, smallest possible, in order."""
    shift = 0
    line, counted = 0, 0
    for start, end, group in _regions(text, changes):
        line += text.count("\n", counted, start)
        counted = start
        old = _lines(text[start:end])
        local = [Change(change.start - start, change.end - start, change.new) for change in group]
        new = _lines(apply(text[start:end], local))
        yield from _trimmed(line, old, line + shift, new)
        shift += len(new) - len(old)


def _regions(text: str, changes: Sequence[Change]) -> Iterator[tuple[int, int, list[Change]]]:
    """Whole lines around changes that touch the same lines."""
    group: list[Change] = []
    start = end = 0
    for change in changes:
        first = text.rfind("\n", 0, change.start) + 1
        last = text.find("\n", change.end)
        last = len(text) if last < 0 else last + 1
        if group and (first < end or first == end == len(text)):
            end = max(end, last)
        else:
            if group:
                yield start, end, group
            group, start, end = [], first, last
        group.append(change)
    if group:
        yield start, end, group


def _trimmed(old_line: int, old: list[str], new_line: int, new: list[str]) -> Iterator[Hunk]:
    if max(len(old), len(new)) > _COMPARED:
        yield Hunk(old_line, old, new_line, new)
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Hunk(old_line + i1, old[i1:i2], new_line + j1, new[j1:j2])


def _groups(hunks: Sequence[Hunk], context: int) -> Iterator[list[Hunk]]:
    """Hunks whose context would touch."""
    group: list[Hunk] = []
    for hunk in hunks:
        if group and hunk.old_start - (group[-1].old_start + len(group[-1].old)) > 2 * context:
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _body(lines: Sequence[str], group: Sequence[Hunk], context: int) -> Iterator[tuple[str, int, str]]:
    """(sign, line number, text) of a group with its context; numbers count in the old text except for added lines."""
    position = max(group[0].old_start - context, 0)
    for hunk in group:
        for index in range(position, hunk.old_start):
            yield " ", index + 1, lines[index]
        for index, line in enumerate(hunk.old, hunk.old_start):
            yield "-", index + 1, line
        for index, line in enumerate(hunk.new, hunk.new_start):
            yield "+", index + 1, line
        position = hunk.old_start + len(hunk.old)
    for index in range(position, min(position + context, len(lines))):
        yield " ", index + 1, lines[index]


def _diff(lines: Sequence[str], hunks: Sequence[Hunk]) -> Iterator[str]:
    width = len(str(max(len(lines), hunks[-1].new_start + len(hunks[-1].new))))
    skipped = f" {'':>{width}} ..."
    end = 0
    for group in _groups(hunks, _CONTEXT):
        if group[0].old_start - _CONTEXT > end:
            yield skipped
        for sign, number, line in _body(lines, group, _CONTEXT):
            yield f"{sign}{number:>{width}} {line.rstrip(_ENDING)}"
        end = group[-1].old_start + len(group[-1].old) + _CONTEXT
    if end < len(lines):
        yield skipped


def _patch(lines: Sequence[str], hunks: Sequence[Hunk], path: str) -> Iterator[str]:
    yield f"--- a/{path}\n+++ b/{path}\n"
    for group in _groups(hunks, _CONTEXT):
        body = list(_body(lines, group, _CONTEXT))
        before = max(group[0].old_start - _CONTEXT, 0)
        leading = group[0].old_start - before
        old = sum(sign != "+" for sign, _, _ in body)
        new = sum(sign != "-" for sign, _, _ in body)
        yield f"@@ -{_range(before, old)} +{_range(group[0].new_start - leading, new)} @@\n"
        for sign, _, line in body:
            yield sign + (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")


def _range(start: int, count: int) -> str:
    return f"{start + 1 if count else start},{count}"


def _lines(text: str) -> list[str]:
    """Lines with their endings; only LF ends one."""
    return _LINE.findall(text)


def _shortened(text: str, size: int) -> str:
    return text if len(text) <= size else text[: text.rfind("\n", 0, size)] + "\n[... more changes left out ...]\n"
