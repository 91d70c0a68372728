"""What a directory of sessions holds, read without parsing more than a line here and there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .entry import Header, decode
from .errors import SessionError
from .log import FileLog

_MESSAGE = re.compile(
    rb'\{"type":"message","id":"[^"\\]+","parentId":(?:null|"[^"\\]+"),"timestamp":"([^"\\]+)",'
    rb'"message":\{"role":"(\w+)"'
)


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session at a glance; times are ISO 8601, `modified` is that of the last user or assistant message."""

    path: Path
    id: str
    cwd: str
    name: str | None
    parent_session: str | None
    created: str
    modified: str
    entries: int
    messages: int
    first_text: str


def list_sessions(directory: Path, cwd: str | None = None) -> list[SessionInfo]:
    """The sessions in a directory, the one used last first; given a cwd, only those started there.

    Files that are no sessions, or cannot be read, are left out.
    """
    found = (session_info(path) for path in directory.glob("*.jsonl"))
    wanted = [info for info in found if info is not None and cwd in (None, info.cwd)]
    return sorted(wanted, key=lambda info: (info.modified, info.path.name), reverse=True)


def session_info(path: Path) -> SessionInfo | None:
    """A session at a glance, or None if the file is none or cannot be read."""
    try:
        log = FileLog.open(path, read_only=True)
    except SessionError:
        return None
    try:
        return _summary(path, (line for _, line in log.lines() if line.strip()))
    finally:
        log.close()


def _summary(path: Path, lines: Iterator[bytes]) -> SessionInfo | None:
    try:
        header = Header.parse(next(lines, b"").rstrip(b"\r\n"))
    except ValueError:
        return None
    entries = messages = 0
    name, modified, first_text = None, header.timestamp, ""
    for line in lines:
        entries += 1
        if line.startswith(b'{"type":"session_info"'):
            name = str((decode(line) or {}).get("name") or "").strip() or None
        elif spoken := _spoken(line):
            messages += 1
            role, stamp = spoken
            if role in ("user", "assistant"):
                modified = stamp
            if role == "user" and not first_text:
                first_text = _text((decode(line) or {}).get("message"))
    return SessionInfo(
        path,
        header.id,
        header.cwd,
        name,
        header.parent_session,
        header.timestamp,
        modified,
        entries,
        messages,
        first_text,
    )


def _spoken(line: bytes) -> tuple[str, str] | None:
    """Role and time of a message line."""
    if usual := _MESSAGE.match(line):
        return usual[2].decode(), usual[1].decode()
    if b'"message"' not in line[:64]:
        return None
    record = decode(line) or {}
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return None
    return str(message.get("role")), str(record.get("timestamp"))


def _text(message: Any) -> str:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return " ".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict) and "text" in block)
