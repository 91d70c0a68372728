"""Reads a session file into an index of its entries: one pass, payloads left unparsed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .entry import BASE_FIELDS, MAX_LINE, Entry, Header, Source, decode, encode
from .errors import NotASession
from .log import TORN_SEAL, FileLog, MemoryLog
from .migrate import modern_line, modern_records

# The order in which upstream and this writer put the base fields; any other order is parsed in full.
_USUAL = re.compile(
    rb'\{"type":"([\w.:+-]+)","id":"([\w.:+-]+)","parentId":(?:null|"([\w.:+-]+)"),"timestamp":"([\w.:+-]+)"[,}]'
)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A line that was not taken as it stands; `contradiction` means that appending is refused."""

    line: int
    what: str
    contradiction: bool = False


@dataclass(slots=True)
class Index:
    """The entries by id in file order, and what is looked up across the whole tree."""

    entries: dict[str, Entry] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    name: str | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Appends an entry whose id is new."""
        self.entries[entry.id] = entry
        if entry.type == "label":
            data = entry.data
            self._set_label(data.get("targetId"), data.get("label"))
        elif entry.type == "session_info":
            name = entry.data.get("name")
            self.name = (name.strip() or None) if isinstance(name, str) else None

    def _set_label(self, target: Any, label: Any) -> None:
        if isinstance(label, str) and label:
            self.labels[str(target)] = label
        else:
            self.labels.pop(str(target), None)


def read_session(log: FileLog) -> tuple[Header, Index]:
    """Header and index of a file; raises NotASession before anything else is believed of it."""
    numbered = ((number, offset, line) for number, (offset, line) in enumerate(log.lines(), 1) if line.strip())
    _, _, first = next(numbered, (0, 0, b""))
    header = _header(log.path, first)
    reader = _Reader(log)
    if header.version < 2:
        reader.read_linear(header, numbered)
    else:
        for number, offset, line in numbered:
            reader.read_line(number, offset, line, header.version)
    reader.link_late_parents()
    return header, reader.index


def _header(path: Path, line: bytes) -> Header:
    if not line:
        raise NotASession(path, "the file is empty")
    try:
        return Header.parse(line.rstrip(b"\r\n"))
    except ValueError as error:
        raise NotASession(path, str(error)) from error


class _Reader:
    """Builds the index of one file line by line."""

    def __init__(self, log: FileLog) -> None:
        self.index = Index()
        self._log = log
        self._rewritten = MemoryLog()
        self._late: list[tuple[int, Entry]] = []

    def read_line(self, number: int, offset: int, line: bytes, version: int) -> None:
        usual = _USUAL.match(line) if line.endswith(b"}\n") and line.count(b"{") == line.count(b"}") else None
        if version < 3 and b'"hookMessage"' in line:
            line, usual = modern_line(line), None
            source, offset = self._keep(line)
        else:
            source = self._log
        length = len(line.rstrip(b"\r\n"))
        if usual:
            kind, entry_id, parent, stamp = (part.decode() if part else None for part in usual.groups())
            assert kind and entry_id and stamp
            self._add(number, Entry(kind, entry_id, parent, stamp, source, offset, length), line)
        else:
            self._read_unusual(number, source, offset, length, line)

    def read_linear(self, header: Header, lines: Iterable[tuple[int, int, bytes]]) -> None:
        """Version 1 knows no ids: they are derived from the position, equal at each reading."""
        records = [(number, record) for number, _, line in lines if (record := self._record(number, line))]
        for (number, _), record in zip(records, modern_records([record for _, record in records]), strict=True):
            line = encode(record)
            source, offset = self._keep(line)
            self._read_unusual(number, source, offset, len(line), line)

    def link_late_parents(self) -> None:
        """Settles parents that did not stand before their child: orphans and cycles become roots."""
        for number, entry in self._late:
            assert entry.parent_id is not None
            if entry.parent_id not in self.index.entries:
                self._cut(number, entry, f"parent {entry.parent_id} is missing: taken as a root", False)
            elif self._loops(entry):
                self._cut(number, entry, f"entry {entry.id} is its own ancestor: taken as a root", True)

    def _record(self, number: int, line: bytes) -> dict[str, Any] | None:
        whole = line.endswith(b"\n")
        record = decode(line) if whole or len(line) <= MAX_LINE else None
        if record is None and not whole:
            self._log.prologue = TORN_SEAL
        if record is None:
            fault = f"longer than {MAX_LINE} bytes" if len(line) > MAX_LINE else "not a JSON object"
            self._note(number, f"{fault if whole else f'{fault}, unfinished'}: skipped")
        elif record.get("type") == "session":
            self._note(number, "repeated session header: skipped")
            return None
        return record

    def _read_unusual(self, number: int, source: Source, offset: int, length: int, line: bytes) -> None:
        record = self._record(number, line)
        if record is None:
            return
        kind, entry_id, parent, stamp = (record.get(name) for name in BASE_FIELDS)
        if not isinstance(kind, str) or not isinstance(entry_id, str) or not entry_id:
            self._note(number, "entry without type or id: skipped")
            return
        if parent is not None and not isinstance(parent, str):
            self._note(number, f"entry {entry_id} has a parent that is no id: taken as a root", True)
            parent = None
        self._add(number, Entry(kind, entry_id, parent, str(stamp), source, offset, length), line)

    def _add(self, number: int, entry: Entry, line: bytes) -> None:
        entries = self.index.entries
        if (first := entries.get(entry.id)) is not None:
            same = decode(first.raw) == decode(line)
            self._note(number, f"entry {entry.id} {'repeated' if same else 'differs from an earlier one'}", not same)
            return
        if entry.parent_id is not None and entry.parent_id not in entries:
            self._late.append((number, entry))
        self.index.add(entry)

    def _loops(self, entry: Entry) -> bool:
        seen = {entry.id}
        parent = entry.parent_id
        while parent is not None and parent in self.index.entries:
            if parent in seen:
                return True
            seen.add(parent)
            parent = self.index.entries[parent].parent_id
        return False

    def _cut(self, number: int, entry: Entry, what: str, contradiction: bool) -> None:
        self._note(number, what, contradiction)
        record = {**(decode(entry.raw) or {}), "parentId": None}
        line = encode(record)
        source, offset = self._keep(line)
        self.index.entries[entry.id] = Entry(entry.type, entry.id, None, entry.timestamp, source, offset, len(line))

    def _keep(self, line: bytes) -> tuple[Source, int]:
        return self._rewritten, self._rewritten.append(line)

    def _note(self, number: int, what: str, contradiction: bool = False) -> None:
        self.index.diagnostics.append(Diagnostic(number, what, contradiction))
