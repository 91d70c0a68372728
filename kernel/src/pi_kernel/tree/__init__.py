"""The session tree: append-only files of entries that upstream pi reads and writes too (session format 3)."""

from .entry import Entry, Header
from .index import LEAF_MARKER, Diagnostic
from .listing import SessionInfo, list_sessions, session_info
from .names import directory_name, new_session_path
from .tree import SessionTree

__all__ = [
    "LEAF_MARKER",
    "Diagnostic",
    "Entry",
    "Header",
    "SessionInfo",
    "SessionTree",
    "directory_name",
    "list_sessions",
    "new_session_path",
    "session_info",
]
