"""Continuing a version 1 file: it cannot hold a tree, so the first append replaces it and keeps the original."""

from .entry import Header, decode, encode
from .index import Index
from .log import FileLog, publish, replace


class LinearLog:
    """A version 1 file; before the first append it is copied to `<name>.v1` and rewritten as version 3."""

    def __init__(self, log: FileLog, header: Header, index: Index) -> None:
        header_line = encode({**(decode(header.line) or {}), "version": 3})
        self._modern: list[bytes] | None = [header_line, *(entry.raw for entry in index.entries.values())]
        self._log = log

    def append(self, line: bytes, durable: bool = False) -> int:
        if self._modern is not None:
            self._upgrade(self._modern)
            self._modern = None
        return self._log.append(line, durable)

    def read(self, offset: int, length: int) -> bytes:
        return self._log.read(offset, length)

    def close(self) -> None:
        self._log.close()

    def _upgrade(self, modern: list[bytes]) -> None:
        self._log.refuse_if_changed()
        path = self._log.path
        backup = path.with_name(f"{path.name}.v1")
        original = self._log.read(0, self._log.size)
        if not (backup.is_file() and backup.read_bytes() == original):
            publish(backup, [original])
        self._log.close()  # Windows does not replace a file that is open
        try:
            replace(path, (line + b"\n" for line in modern))
        finally:
            self._log = FileLog.open(path, read_only=False)
