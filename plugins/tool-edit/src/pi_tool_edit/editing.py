"""Finding the places, checking the batch as a whole, and writing the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath

from pi_api.tool import ToolError, ToolResult
from pi_files import Place, ReadLedger
from pi_files.decoding import decode_strictly
from pi_files.errors import NotAFile, NotFound

from pi_tool_edit.changes import Change, apply, describe
from pi_tool_edit.failure import ambiguous, not_found
from pi_tool_edit.source import Source, with_lf

_REFRESHES = 2


class EditError(ToolError):
    """The edits cannot be made; the file is as it was."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement as the model asked for it."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit with its span in the LF view; `fuzzy`: found in reduced form only."""

    number: int
    start: int
    end: int
    new: str
    fuzzy: bool


@dataclass(frozen=True, slots=True)
class Editor:
    """Edits for one session."""

    place: Place
    ledger: ReadLedger

    def edit(self, path: PurePath, real: PurePath, edits: Sequence[Edit]) -> ToolResult:
        """Make all edits of the file `path`, which is `real`, or none; the caller holds its lock."""
        shown = self.place.show(path)
        before = self._read(real, shown)
        for _ in range(_REFRESHES + 1):
            decoded = decode_strictly(before, shown)
            source = Source(decoded.text)
            placed = place_edits(source, edits, shown)
            changes = [_change(source, edit) for edit in placed]
            after = decoded.encoding.mark + apply(source.original, changes).encode("utf-8")
            if after == before:
                raise EditError(f"the edits of {shown} together change nothing; drop or correct them")
            now = self._read(real, shown)
            if now == before:
                return self._write(real, shown, before, after, source, placed, changes)
            before = now
        raise EditError(f"{shown} keeps changing while it is edited; wait for the other program, then edit it again")

    def _read(self, real: PurePath, shown: str) -> bytes:
        found = self.place.operations.stat(real)
        if found is None:
            raise NotFound(f"{shown} is gone; use write to make a new file")
        if found.kind != "file":
            raise NotAFile(f"cannot edit {shown}: it is not a regular file; give the path of a text file")
        return self.place.operations.read(real)

    def _write(
        self,
        real: PurePath,
        shown: str,
        before: bytes,
        after: bytes,
        source: Source,
        placed: Sequence[Placed],
        changes: Sequence[Change],
    ) -> ToolResult:
        was_known = self.ledger.is_current(real, before)
        self.place.operations.replace(real, after)
        if was_known:
            self.ledger.record(real, after)
        details = describe(source.original, changes, shown)
        count = f"{len(placed)} replacement{'' if len(placed) == 1 else 's'}"
        text = f"Edited {shown}: {count}, first changed line {details['firstChangedLine']}."
        if fuzzy := [str(edit.number) for edit in sorted(placed, key=lambda edit: edit.number) if edit.fuzzy]:
            text += f" Found only by ignoring quote, dash or blank variants: edit {', '.join(fuzzy)}."
        return ToolResult.text(text, details=details)


def place_edits(source: Source, edits: Sequence[Edit], shown: str) -> list[Placed]:
    """Every edit with its place, in the order of the file. `EditError`: not found, not unique, overlap, no change."""
    placed = sorted((_place(source, number, edit, shown) for number, edit in enumerate(edits, 1)), key=_position)
    for before, after in pairwise(placed):
        if after.start < before.end:
            first, second = sorted((before.number, after.number))
            raise EditError(
                f"edits {first} and {second} of {shown} overlap at line {source.line_of(after.start)}; "
                "merge them into one edit, nothing was changed"
            )
    return placed


def _place(source: Source, number: int, edit: Edit, shown: str) -> Placed:
    old, new = with_lf(edit.old), with_lf(edit.new)
    if not old:
        raise EditError(f"oldText of edit {number} is empty; give text that occurs in {shown}, or use write")
    spans, fuzzy = _occurrences(source.lf, old), False
    if not spans:
        spans, fuzzy = source.fuzzy.find(old), True
    if not spans:
        raise EditError(not_found(source, old, number, shown))
    if len(spans) > 1:
        raise EditError(ambiguous(source, spans, number, shown))
    start, end = spans[0]
    if source.lf[start:end] == new:
        raise EditError(f"edit {number} of {shown} changes nothing: newText is what is there; drop it or correct it")
    return Placed(number, start, end, new, fuzzy)


def _occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """Every place where a text stands, overlapping ones too."""
    found = []
    at = text.find(wanted)
    while at >= 0:
        found.append((at, at + len(wanted)))
        at = text.find(wanted, at + 1)
    return found


def _position(placed: Placed) -> tuple[int, int]:
    return placed.start, placed.end


def _change(source: Source, placed: Placed) -> Change:
    new = placed.new.replace("\n", source.newline)
    return Change(source.to_original(placed.start), source.to_original(placed.end), new)
