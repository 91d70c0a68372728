"""The session tree: entries in an append-only file, a leaf that moves between them."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

from .entry import BASE_FIELDS, MAX_LINE, NEWEST_VERSION, Entry, Header, encode, new_entry_id, now
from .errors import BadFields, SessionCorrupt, UnknownEntry
from .index import Diagnostic, Index, read_session
from .legacy import LinearLog
from .log import FileLog, Log, MemoryLog, publish
from .names import session_file_name

LEAF_MARKER = "pi.leaf"


class SessionTree:
    """A session as a tree of entries in which `leaf_id` marks where the conversation stands.

    Appended entries become children of the leaf. Entries are never changed or removed. The file follows pi's session
    format 3, so upstream pi opens it at the same leaf. One tree at a time may write a file; use it from one thread.
    """

    def __init__(self, header: Header, log: Log, index: Index, path: Path | None, read_only: bool = False) -> None:
        """Use `create`, `open` or `in_memory`."""
        self.header = header
        self.file = path
        self.read_only = read_only
        self._log = log
        self._index = index
        self._children: dict[str | None, list[str]] | None = None
        self._leaf = self._resting_leaf()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        cwd: str,
        *,
        parent_session: str | None = None,
        session_id: str | None = None,
    ) -> Self:
        """A new session; its file appears, exclusively, with the first appended entry."""
        header = Header.new(cwd, parent_session, session_id)
        return cls(header, FileLog(Path(path), header.line + b"\n"), Index(), Path(path))

    @classmethod
    def create_in(
        cls,
        directory: str | os.PathLike[str],
        cwd: str,
        *,
        parent_session: str | None = None,
        session_id: str | None = None,
    ) -> Self:
        """A new session under upstream's file name in a directory; lazy like `create`."""
        header = Header.new(cwd, parent_session, session_id)
        file = Path(directory, session_file_name(header))
        return cls(header, FileLog(file, header.line + b"\n"), Index(), file)

    @classmethod
    def in_memory(cls, cwd: str, *, session_id: str | None = None) -> Self:
        """A session that leaves no file."""
        return cls(Header.new(cwd, session_id=session_id), MemoryLog(), Index(), None)

    @classmethod
    def open(cls, path: str | os.PathLike[str], read_only: bool = False) -> Self:
        """An existing session, without changing a byte of it.

        For writing it takes the writer lock and raises SessionLocked, or SessionCorrupt if entries contradict each
        other; read-only works beside a writer. Raises NotASession for any other file.
        """
        file = Path(path)
        log = FileLog.open(file, read_only)
        try:
            header, index = read_session(log)
            contradiction = next((note for note in index.diagnostics if note.contradiction), None)
            if contradiction and not read_only:
                raise SessionCorrupt(file, f"line {contradiction.line}: {contradiction.what}")
        except BaseException:
            log.close()
            raise
        if header.version > NEWEST_VERSION:
            log.read_only = log.read_only or f"format version {header.version} is newer than {NEWEST_VERSION}"
        linear = header.version < 2 and not read_only
        return cls(header, LinearLog(log, header, index) if linear else log, index, file, bool(log.read_only))

    @property
    def leaf_id(self) -> str | None:
        """The entry that the next one will follow; None before the first and after `branch(None)`."""
        return self._leaf

    @property
    def name(self) -> str | None:
        """The display name set last."""
        return self._index.name

    @property
    def labels(self) -> Mapping[str, str]:
        """Labels by the id of the entry they stand on."""
        return MappingProxyType(self._index.labels)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Lines of the file that were skipped or corrected on reading."""
        return tuple(self._index.diagnostics)

    def append(self, entry_type: str, fields: Mapping[str, Any] | None = None, *, durable: bool = False) -> Entry:
        """Appends a child of the leaf and moves the leaf to it; labels leave the leaf where it is.

        On return the entry is written whole, with `durable` to the disk itself. Cost does not depend on the length.
        """
        entry = self._write(entry_type, self._leaf, fields or {}, durable)
        if not _is_bookkeeping(entry_type, fields or {}):
            self._leaf = entry.id
        return entry

    def branch(self, entry_id: str | None) -> None:
        """Moves the leaf to an entry, or before the first for None, and records the move in the file."""
        if entry_id is not None:
            self.get(entry_id)
        if entry_id != self._leaf:
            self._write("custom", entry_id, {"customType": LEAF_MARKER}, durable=False)
            self._leaf = entry_id

    def label(self, entry_id: str, text: str | None) -> Entry:
        """Sets the label of an entry, or clears it with None."""
        self.get(entry_id)
        return self.append("label", {"targetId": entry_id} | ({"label": text} if text else {}))

    def rename(self, name: str) -> Entry:
        """Sets the display name, or clears it with an empty one."""
        return self.append("session_info", {"name": " ".join(name.splitlines()).strip()})

    def get(self, entry_id: str) -> Entry:
        """The entry of that id; raises UnknownEntry."""
        try:
            return self._index.entries[entry_id]
        except KeyError:
            raise UnknownEntry(self.file, entry_id) from None

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._index.entries

    def __len__(self) -> int:
        return len(self._index.entries)

    def entries(self) -> Iterator[Entry]:
        """All entries in the order of the file."""
        return iter(self._index.entries.values())

    def path(self, leaf: str | None = None) -> list[Entry]:
        """The entries from a root to the given entry, by default to the leaf."""
        upwards = []
        step = leaf or self._leaf
        while step is not None:
            upwards.append(self.get(step))
            step = upwards[-1].parent_id
        return upwards[::-1]

    def children(self, entry_id: str | None) -> list[Entry]:
        """The entries that follow an entry, in file order; for None the roots."""
        if self._children is None:
            self._children = {}
            for entry in self.entries():
                self._children.setdefault(entry.parent_id, []).append(entry.id)
        return [self._index.entries[child] for child in self._children.get(entry_id, ())]

    def fork_to(self, path: str | os.PathLike[str], upto_entry: str | None, cwd: str | None = None) -> Self:
        """A new session with the path up to an entry (None: empty) and its labels; opened for writing."""
        if upto_entry is None:
            return self.create(path, cwd or self.header.cwd, parent_session=self._origin())
        return self._copy(path, cwd, self._path_lines(upto_entry))

    def copy_all_to(self, path: str | os.PathLike[str], cwd: str | None = None) -> Self:
        """A new session with every entry of this one; opened for writing."""
        return self._copy(path, cwd, (entry.raw for entry in self.entries()))

    def close(self) -> None:
        """Releases the file and the writer lock."""
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, entry_type: str, parent: str | None, fields: Mapping[str, Any], durable: bool) -> Entry:
        if taken := sorted(fields.keys() & set(BASE_FIELDS)):
            raise BadFields(self.file, f"{', '.join(taken)} are set by the tree")
        entry_id, stamp = new_entry_id(self._index.entries), now()
        try:
            line = encode({"type": entry_type, "id": entry_id, "parentId": parent, "timestamp": stamp, **fields})
        except (TypeError, ValueError, RecursionError) as error:
            raise BadFields(self.file, str(error)) from error
        if len(line) >= MAX_LINE:
            raise BadFields(self.file, f"{len(line)} bytes are over the limit of {MAX_LINE} a line")
        offset = self._log.append(line, durable)
        entry = Entry(entry_type, entry_id, parent, stamp, self._log, offset, len(line))
        self._index.add(entry)
        if self._children is not None:
            self._children.setdefault(parent, []).append(entry_id)
        return entry

    def _resting_leaf(self) -> str | None:
        """Upstream takes the last line as the leaf; bookkeeping stands beside it."""
        entry = next(reversed(self._index.entries.values()), None)
        while entry is not None and _is_bookkeeping(entry.type, entry.data):
            entry = None if entry.parent_id is None else self.get(entry.parent_id)
        return entry.id if entry else None

    def _origin(self) -> str | None:
        return None if self.file is None else str(self.file)

    def _copy(self, path: str | os.PathLike[str], cwd: str | None, lines: Iterator[bytes]) -> Self:
        header = Header.new(cwd or self.header.cwd, self._origin())
        publish(Path(path), (line + b"\n" for line in (header.line, *lines)))
        return self.open(path)

    def _path_lines(self, leaf: str) -> Iterator[bytes]:
        """Lines of the path as they are; labels beside it are re-hung onto it, in file order so the latest wins."""
        on_path = {entry.id for entry in self.path(leaf)}
        last = None
        for entry in self.entries():
            if entry.id in on_path:
                yield entry.raw
                last = entry.id
            elif entry.type == "label" and entry.data.get("targetId") in on_path:
                base = {"type": "label", "id": entry.id, "parentId": last, "timestamp": entry.timestamp}
                yield encode(base | entry.data)


def _is_bookkeeping(entry_type: str, data: Mapping[str, Any]) -> bool:
    """Entries about the tree, not steps of the conversation: the leaf never rests on them."""
    return entry_type == "label" or (entry_type == "custom" and data.get("customType") == LEAF_MARKER)
