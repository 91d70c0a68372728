"""The index of a session: built in one pass over the file, payloads unparsed, and kept up by each append."""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .entry import BASE_FIELDS, Entry, Header, Source, decode, encode
from .errors import NotASession
from .log import MAX_LINE, FileLog, MemoryLog
from .migrate import chained, renamed

LEAF_MARKER = "pi.leaf"
MAX_HEADER = 1 << 20
TORN_SEAL = b" (torn)\n"

# Base fields where every writer puts them first; other lines, and the types `Index.add` looks into, are parsed whole.
_USUAL = re.compile(
    rb'\{"type":"(?!label"|session_info"|custom")([\w.-]+)","id":"([\w.-]+)",'
    rb'"parentId":(?:null|"([\w.-]+)"),"timestamp":"([\w.:-]+)"[,}]'
)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A line that was not taken as it stands; a `contradiction` makes the session read-only."""

    line: int
    what: str
    contradiction: bool = False


@dataclass(slots=True)
class Index:
    """The entries by id in the order of the file, the leaf, and what concerns the session as a whole."""

    entries: dict[str, Entry] = field(default_factory=dict)
    leaf: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    name: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(self, entry: Entry, data: Mapping[str, Any]) -> None:
        """Takes up the next entry; `data` may be empty but for labels, names and custom entries.

        The leaf moves to the entry, except that labels and leaf markers stand beside the conversation: upstream takes
        the last line of the file as the leaf, so they are children of the true one.
        """
        self.entries[entry.id] = entry
        marker = entry.type == "custom" and data.get("customType") == LEAF_MARKER
        self.leaf = entry.parent_id if marker or entry.type == "label" else entry.id
        if entry.type == "session_info":
            self.name = str(data.get("name") or "").strip() or None
        elif entry.type == "label" and data.get("label"):
            self.labels[str(data.get("targetId"))] = str(data["label"])
        elif entry.type == "label":
            self.labels.pop(str(data.get("targetId")), None)


def read_session(log: FileLog) -> tuple[Header, Index]:
    """Header and index of a file; raises NotASession before anything else is believed of it."""
    if b"\n" not in (beginning := log.read(0, MAX_HEADER)) and len(beginning) == MAX_HEADER:
        raise NotASession(log.path, f"its first line is over {MAX_HEADER} bytes")
    numbered = ((number, *line) for number, line in enumerate(log.lines(), 1) if line[1].strip())
    try:
        header = Header.parse(next(numbered, (0, 0, b""))[2].rstrip(b"\r\n"))
    except ValueError as error:
        raise NotASession(log.path, str(error)) from error
    reader = _Reader(log)
    if header.version < 2:
        reader.read_linear(numbered)
    else:
        for number, offset, line in numbered:
            reader.read_line(number, offset, line, outdated=header.version < 3 and b'"hookMessage"' in line)
    reader.finish()
    return header, reader.index


class _Reader:
    """Takes the lines of a file into an index, and notes what it could not take."""

    def __init__(self, log: FileLog) -> None:
        self.index = Index()
        self._log = log
        self._corrected = MemoryLog()
        self._repeated: list[tuple[int, Entry]] = []
        self._rootless: list[tuple[int, Entry]] = []

    def read_line(self, number: int, offset: int, line: bytes, outdated: bool) -> None:
        # A line that a killed writer left torn seldom has all its braces, and ours end in TORN_SEAL.
        whole = line.endswith(b"}\n") and line.count(b"{") == line.count(b"}")
        if whole and not outdated and (usual := _USUAL.match(line)):
            kind, entry_id, parent, stamp = (part.decode() for part in usual.groups(b""))
            parent_entry = self.index.entries.get(parent)
            parent_id = parent_entry.id if parent_entry else parent or None  # one string for all who name it
            entry = Entry(sys.intern(kind), entry_id, parent_id, stamp, self._log, offset, len(line) - 1)
            self._add(number, entry, {})
        elif (record := self._record(number, line)) is not None:
            length = len(line.rstrip(b"\r\n"))
            self._read_record(number, renamed(record) if outdated else record, None if outdated else (offset, length))

    def read_linear(self, numbered: Iterator[tuple[int, int, bytes]]) -> None:
        """Version 1 has no ids: all lines are parsed and chained."""
        parsed = ((number, self._record(number, line)) for number, _, line in numbered)
        for number, record in chained([(number, record) for number, record in parsed if record is not None]):
            self._read_record(number, record, None)

    def finish(self) -> None:
        """Judges what needed the whole file: a parent stands before its children, so a later one closes a cycle."""
        for number, entry in self._repeated:
            same = decode(entry.raw) == decode(self.index.entries[entry.id].raw)
            fault = "repeated" if same else "differs from the first"
            self._note(number, f"entry {entry.id} {fault}: skipped", not same)
        for number, entry in self._rootless:
            later = entry.parent_id in self.index.entries
            fault = "comes later" if later else "is missing"
            self._note(number, f"parent {entry.parent_id} {fault}: taken as a root", later)
            if later:
                source, offset, length = self._place({**(decode(entry.raw) or {}), "parentId": None})
                cut = replace(entry, parent_id=None, source=source, offset=offset, length=length)
                self.index.entries[entry.id] = cut
        self.index.diagnostics.sort(key=lambda note: note.line)

    def _record(self, number: int, line: bytes) -> dict[str, Any] | None:
        finished = line.endswith(b"\n")
        oversized = len(line) >= MAX_LINE and not finished
        record = None if oversized else decode(line)
        if record is None and not finished:
            self._log.prologue = self._log.prologue and TORN_SEAL
        if record is None:
            fault = f"over {MAX_LINE} bytes" if oversized else "not a JSON object" if finished else "unfinished"
            self._note(number, f"{fault}: skipped")
        elif record.get("type") == "session":
            self._note(number, "another header: skipped")
            return None
        return record

    def _read_record(self, number: int, record: dict[str, Any], place: tuple[int, int] | None) -> None:
        kind, entry_id, parent, stamp = (record.get(name) for name in BASE_FIELDS)
        if not isinstance(kind, str) or not isinstance(entry_id, str) or not entry_id:
            self._note(number, "without type or id: skipped")
            return
        if not isinstance(parent, str | None):
            self._note(number, f"parent {parent!r} is no id: taken as a root", True)
            record, parent, place = {**record, "parentId": None}, None, None
        source, offset, length = self._place(record) if place is None else (self._log, *place)
        self._add(number, Entry(kind, entry_id, parent, str(stamp or ""), source, offset, length), record)

    def _place(self, record: dict[str, Any]) -> tuple[Source, int, int]:
        line = encode(record, allow_nan=True)  # what was read is kept, be it infinite
        return self._corrected, self._corrected.append(line), len(line)

    def _add(self, number: int, entry: Entry, data: Mapping[str, Any]) -> None:
        entries = self.index.entries
        if entry.id in entries:
            self._repeated.append((number, entry))
            return
        if entry.parent_id is not None and entry.parent_id not in entries:
            self._rootless.append((number, entry))
            entry = replace(entry, parent_id=None)
        self.index.add(entry, data)

    def _note(self, number: int, what: str, contradiction: bool = False) -> None:
        self.index.diagnostics.append(Diagnostic(number, what, contradiction))
