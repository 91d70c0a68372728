"""The session tree: entries in an append-only file and a leaf that moves between them."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from .entry import BASE_FIELDS, FORMAT_VERSION, NEWEST_VERSION, Entry, Header, encode, new_entry_id, now
from .errors import BadFields, SessionCorrupt, UnknownEntry
from .index import LEAF_MARKER, Diagnostic, Index, read_session
from .log import MAX_LINE, FileLog, MemoryLog, publish
from .names import session_id_in

StrPath = str | os.PathLike[str]


class SessionTree:
    """A session: a tree of entries in which `leaf_id` marks where the conversation stands.

    What is appended becomes a child of the leaf; nothing is ever changed or removed. The file is pi's session format
    3, and upstream pi opens it at the same leaf. One tree at a time writes to a file; use a tree from one thread.
    """

    def __init__(self, header: Header, index: Index, log: FileLog | MemoryLog, file: Path | None) -> None:
        """Called by `create`, `open` and `in_memory`."""
        self.header = header
        self.file = file
        self._index = index
        self._log = log
        self._children: dict[str | None, list[str]] | None = None

    @classmethod
    def create(
        cls, path: StrPath, cwd: str, *, session_id: str | None = None, parent_session: str | None = None
    ) -> Self:
        """A new session, whose file appears with the first entry; `new_session_path` forms paths.

        The id is the given one, else the one in the file name, else a new one. The first append raises SessionExists
        rather than touch a file that is already there.
        """
        file = Path(path)
        header = Header.new(cwd, session_id or session_id_in(file), parent_session)
        return cls(header, Index(), FileLog(file, header.line + b"\n"), file)

    @classmethod
    def in_memory(cls, cwd: str) -> Self:
        """A session that leaves no file."""
        return cls(Header.new(cwd), Index(), MemoryLog(), None)

    @classmethod
    def open(cls, path: StrPath, read_only: bool = False) -> Self:
        """An existing session, without changing a byte of it; raises NotASession for any other file.

        Writing needs the lock (else SessionLocked) and entries that agree with each other (else SessionCorrupt);
        reading works beside a writer. Format versions 1 and above 4 open, but read-only whatever was asked.
        """
        log = FileLog.open(Path(path), read_only)
        try:
            header, index = read_session(log)
            contradiction = next((note for note in index.diagnostics if note.contradiction), None)
            if contradiction and not read_only:
                raise SessionCorrupt(log.path, f"line {contradiction.line}: {contradiction.what}")
        except BaseException:
            log.close()
            raise
        if not FORMAT_VERSION - 1 <= header.version <= NEWEST_VERSION:
            log.refusal = log.refusal or f"format version {header.version}"
        return cls(header, index, log, log.path)

    @property
    def leaf_id(self) -> str | None:
        """The entry that the next one follows; None before the first and after `branch(None)`."""
        return self._index.leaf

    @property
    def name(self) -> str | None:
        """The display name that was set last."""
        return self._index.name

    @property
    def labels(self) -> Mapping[str, str]:
        """Labels by the id of the entry they are on."""
        return MappingProxyType(self._index.labels)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Lines of the file that were not taken as they stand."""
        return tuple(self._index.diagnostics)

    @property
    def read_only(self) -> bool:
        """Whether an append would be refused."""
        return bool(self._log.refusal)

    def append(self, entry_type: str, fields: Mapping[str, Any], *, durable: bool = False) -> Entry:
        """Adds a child of the leaf and moves the leaf to it; a label leaves the leaf where it is.

        When it returns, the entry is in the file whole, with `durable` also on the disk. The cost does not depend on
        the length of the session.
        """
        return self._append(entry_type, self.leaf_id, fields, durable)

    def branch(self, entry_id: str | None) -> None:
        """Moves the leaf to an entry, or for None before all of them, and records that in the file."""
        if entry_id is not None:
            self.get(entry_id)
        if entry_id != self.leaf_id:
            self._append("custom", entry_id, {"customType": LEAF_MARKER}, durable=False)

    def label(self, entry_id: str, text: str | None) -> Entry:
        """Labels an entry; None takes the label away."""
        target = {"targetId": self.get(entry_id).id}
        return self.append("label", {**target, "label": text} if text else target)

    def rename(self, name: str) -> Entry:
        """Sets the display name; an empty one takes it away."""
        return self.append("session_info", {"name": " ".join(name.split())})

    def get(self, entry_id: str) -> Entry:
        """The entry of that id; raises UnknownEntry."""
        try:
            return self._index.entries[entry_id]
        except KeyError:
            raise UnknownEntry(self.file, f"no entry {entry_id!r}") from None

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._index.entries

    def __len__(self) -> int:
        return len(self._index.entries)

    def entries(self) -> list[Entry]:
        """All entries in the order of the file."""
        return list(self._index.entries.values())

    def path(self, leaf: str | None = None) -> list[Entry]:
        """The entries from a root down to the given one or else to the leaf."""
        upwards: list[Entry] = []
        step = self.leaf_id if leaf is None else leaf
        while step is not None:
            upwards.append(self.get(step))
            step = upwards[-1].parent_id
        return upwards[::-1]

    def children(self, entry_id: str | None) -> list[Entry]:
        """The entries that follow an entry, in the order of the file; for None the roots."""
        if self._children is None:
            self._children = {}
            for entry in self.entries():
                self._children.setdefault(entry.parent_id, []).append(entry.id)
        return [self.get(child) for child in self._children.get(entry_id, ())]

    def fork_to(self, path: StrPath, upto_entry: str | None, cwd: str | None = None) -> Self:
        """A new session of the path up to an entry, with its labels; empty, and lazy as in `create`, for None."""
        if upto_entry is None:
            return self.create(path, cwd or self.header.cwd, parent_session=self._origin)
        return self._copy(path, cwd, self._lines_up_to(upto_entry))

    def copy_all_to(self, path: StrPath, cwd: str | None = None) -> Self:
        """A new session of all entries of this one."""
        return self._copy(path, cwd, (entry.raw for entry in self.entries()))

    def close(self) -> None:
        """Releases the file and the lock; payloads can then no longer be read."""
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _origin(self) -> str | None:
        return str(self.file) if self.file else None

    def _append(self, entry_type: str, parent: str | None, fields: Mapping[str, Any], durable: bool) -> Entry:
        if taken := fields.keys() & set(BASE_FIELDS):
            raise BadFields(self.file, f"fields {sorted(taken)} belong to the tree")
        if entry_type == "session":
            raise BadFields(self.file, "type 'session' belongs to the header")
        entry_id, stamp = new_entry_id(self), now()
        try:
            line = encode({"type": entry_type, "id": entry_id, "parentId": parent, "timestamp": stamp, **fields})
        except (TypeError, ValueError, RecursionError) as error:
            raise BadFields(self.file, f"not JSON ({error})") from error
        if len(line) >= MAX_LINE:
            raise BadFields(self.file, f"{len(line)} bytes in one entry, the limit is {MAX_LINE}")
        offset = self._log.append(line, durable)
        entry = Entry(entry_type, entry_id, parent, stamp, self._log, offset, len(line))
        self._index.add(entry, fields)
        if self._children is not None:
            self._children.setdefault(parent, []).append(entry_id)
        return entry

    def _copy(self, path: StrPath, cwd: str | None, lines: Iterable[bytes]) -> Self:
        header = Header.new(cwd or self.header.cwd, session_id_in(Path(path)), self._origin)
        publish(Path(path), (header.line, *lines))
        return self.open(path)

    def _lines_up_to(self, leaf: str) -> Iterator[bytes]:
        """The path unchanged; labels that stand beside it are hung onto it, in file order so that the latest wins."""
        on_path = {entry.id for entry in self.path(leaf)}
        last = None
        for entry in self.entries():
            if entry.id in on_path:
                yield entry.raw
                last = entry.id
            elif entry.type == "label" and (data := entry.data).get("targetId") in on_path:
                base = zip(BASE_FIELDS, ("label", entry.id, last, entry.timestamp), strict=True)
                yield encode({**dict(base), **data})
