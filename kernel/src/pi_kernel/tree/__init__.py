"""The session tree: append-only files of entries that upstream pi reads and writes too (session format 3)."""

from .entry import Entry, Header
from .index import Diagnostic
from .listing import SessionInfo, list_sessions, session_info
from .names import directory_name, session_file_name
from .tree import LEAF_MARKER, SessionTree

__all__ = [
    "LEAF_MARKER",
    "Diagnostic",
    "Entry",
    "Header",
    "SessionInfo",
    "SessionTree",
    "directory_name",
    "list_sessions",
    "session_file_name",
    "session_info",
]
