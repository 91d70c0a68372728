"""The sessions of a directory at a glance."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .entry import Entry
from .errors import SessionError
from .tree import SessionTree


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session; times are ISO 8601, `modified` is that of the last user or assistant message."""

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
    """The sessions in a directory, last used first, with a cwd only those started there.

    Files that are no sessions or cannot be read are left out.
    """
    found = [info for path in directory.glob("*.jsonl") if (info := session_info(path))]
    wanted = [info for info in found if cwd is None or os.path.normcase(info.cwd) == os.path.normcase(cwd)]
    return sorted(wanted, key=lambda info: (info.modified, info.path.name), reverse=True)


def session_info(path: Path) -> SessionInfo | None:
    """One session, or None if the file is none or cannot be read."""
    try:
        with SessionTree.open(path, read_only=True) as tree:
            return _info(path, tree, [entry for entry in tree.entries() if entry.type == "message"])
    except SessionError:
        return None


def _info(path: Path, tree: SessionTree, messages: list[Entry]) -> SessionInfo:
    header = tree.header
    first = next((text for entry in messages if (text := _text(entry, ("user",)))), "")
    last = next((entry for entry in reversed(messages) if _text(entry, ("user", "assistant")) is not None), header)
    return SessionInfo(
        path=path,
        id=header.id,
        cwd=header.cwd,
        name=tree.name,
        parent_session=header.parent_session,
        created=header.timestamp,
        modified=last.timestamp,
        entries=len(tree),
        messages=len(messages),
        first_text=first,
    )


def _text(entry: Entry, roles: tuple[str, ...]) -> str | None:
    """The text of a message; None if it is not of these roles."""
    message: Any = entry.data.get("message")
    if not isinstance(message, dict) or str(message.get("role")) not in roles:
        return None
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return " ".join(text for text in texts if isinstance(text, str))
