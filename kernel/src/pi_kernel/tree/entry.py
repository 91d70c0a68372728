"""The lines of a session file as values: a header, then entries (pi session format 3)."""

import json
import os
import time
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from .errors import SessionCorrupt

FORMAT_VERSION = 3
NEWEST_VERSION = 4  # its additions are further entry types
BASE_FIELDS = ("type", "id", "parentId", "timestamp")


class Source(Protocol):
    """What keeps the bytes of a line."""

    def read(self, offset: int, length: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a session; `line` is its exact bytes, `version` that of the file's format."""

    id: str
    timestamp: str
    cwd: str
    version: int
    parent_session: str | None
    line: bytes = field(repr=False)

    @classmethod
    def new(cls, cwd: str, session_id: str | None = None, parent_session: str | None = None) -> "Header":
        """The header of a session that starts now, under a new UUIDv7 unless an id is given."""
        start = {"type": "session", "version": FORMAT_VERSION, "id": session_id or uuid7(), "timestamp": now()}
        origin = {"parentSession": parent_session} if parent_session else {}
        return cls.parse(encode({**start, "cwd": cwd, **origin}))

    @classmethod
    def parse(cls, line: bytes) -> "Header":
        """Reads a header line; raises ValueError for any other."""
        record = decode(line) or {}
        session_id, version, parent = record.get("id"), record.get("version", 1), record.get("parentSession")
        if record.get("type") != "session" or not isinstance(session_id, str) or not isinstance(version, int):
            raise ValueError("it does not start with a session header")
        stamp, cwd = (str(record.get(name, "")) for name in ("timestamp", "cwd"))
        return cls(session_id, stamp, cwd, version, parent if isinstance(parent, str) else None, line)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its place in the tree is at hand, its payload is read and parsed when asked for."""

    type: str
    id: str
    parent_id: str | None
    timestamp: str
    source: Source = field(repr=False, compare=False)
    offset: int = field(repr=False, compare=False)
    length: int = field(repr=False, compare=False)

    @property
    def raw(self) -> bytes:
        """The exact bytes of the line, without its end."""
        return self.source.read(self.offset, self.length)

    @property
    def data(self) -> dict[str, Any]:
        """The entry's own fields, parsed anew at each access: keep and change them freely."""
        record = decode(self.raw)
        if record is None:
            raise SessionCorrupt(None, f"the line of entry {self.id} is not JSON")
        return {name: value for name, value in record.items() if name not in BASE_FIELDS}


def encode(record: Mapping[str, Any], allow_nan: bool = False) -> bytes:
    """A line of JSON as JavaScript writes it; raises ValueError or TypeError for what JSON cannot hold."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=allow_nan, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")  # turns a lone surrogate into its JSON escape


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line or None; invalid UTF-8 is replaced, as JavaScript does."""
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def now() -> str:
    """The time as entries carry it: ISO 8601 in UTC with milliseconds and Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def uuid7() -> str:
    """A UUID that sorts by time (RFC 9562, version 7)."""
    bits = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    digits = f"{bits & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def new_entry_id(taken: Container[str]) -> str:
    """Eight random hex digits that no entry of the session has."""
    while (candidate := os.urandom(4).hex()) in taken:
        pass
    return candidate
