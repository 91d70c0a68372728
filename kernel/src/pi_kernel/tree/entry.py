"""Lines of a session file as values: the header and the entries (pi session format 3)."""

import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from .errors import BadFields, SessionCorrupt

FORMAT_VERSION = 3
NEWEST_VERSION = 4
MAX_LINE = 256 * 1024 * 1024
BASE_FIELDS = ("type", "id", "parentId", "timestamp")
_SESSION_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


class Source(Protocol):
    """Where the bytes of a line are kept."""

    def read(self, offset: int, length: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a session; `line` holds its exact bytes, unknown fields included."""

    id: str
    timestamp: str
    cwd: str
    version: int
    parent_session: str | None
    line: bytes = field(repr=False)

    @classmethod
    def new(cls, cwd: str, parent_session: str | None = None, session_id: str | None = None) -> "Header":
        """A header for a session that starts now, under a fresh UUIDv7 unless an id is given."""
        if session_id is not None and not _SESSION_ID.fullmatch(session_id):
            raise BadFields(None, f"session id {session_id!r} is not letters, digits and inner '.', '_', '-'")
        record = {"type": "session", "version": FORMAT_VERSION, "id": session_id or uuid7(), "timestamp": now()}
        parent = {} if parent_session is None else {"parentSession": parent_session}
        return cls.parse(encode({**record, "cwd": cwd, **parent}))

    @classmethod
    def parse(cls, line: bytes) -> "Header":
        """Reads a header line; raises ValueError when it is none. A missing version means 1."""
        record = decode(line)
        if record is None or record.get("type") != "session" or not isinstance(record.get("id"), str):
            raise ValueError("the first line is no session header")
        version, parent = record.get("version", 1), record.get("parentSession")
        return cls(
            id=record["id"],
            timestamp=str(record.get("timestamp", "")),
            cwd=str(record.get("cwd", "")),
            version=version if isinstance(version, int) else 1,
            parent_session=parent if isinstance(parent, str) else None,
            line=line,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry; its place in the tree is at hand, its payload is read and parsed when asked for."""

    type: str
    id: str
    parent_id: str | None
    timestamp: str
    source: Source = field(repr=False, compare=False)
    offset: int = field(repr=False, compare=False)
    length: int = field(repr=False, compare=False)

    @property
    def raw(self) -> bytes:
        """The exact bytes of the line, without its newline."""
        return self.source.read(self.offset, self.length)

    @property
    def data(self) -> dict[str, Any]:
        """The entry's own fields, parsed anew at each access, so a caller may keep and change them."""
        record = decode(self.raw)
        if record is None:
            raise SessionCorrupt(None, f"the line of entry {self.id} is not JSON")
        return {name: value for name, value in record.items() if name not in BASE_FIELDS}


def encode(record: Mapping[str, Any]) -> bytes:
    """One line of compact JSON as JavaScript writes it; raises ValueError or TypeError for other values."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line, or None; invalid UTF-8 is replaced, as upstream reads it."""
    try:
        record = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def now() -> str:
    """The current time as upstream stamps it: ISO 8601, milliseconds, Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def uuid7() -> str:
    """A time-ordered UUID (RFC 9562, version 7)."""
    bits = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    bits = bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
    digits = f"{bits:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def new_entry_id(taken: Mapping[str, object]) -> str:
    """Eight random hex digits that no entry of the session has yet."""
    while (candidate := os.urandom(4).hex()) in taken:
        pass
    return candidate
