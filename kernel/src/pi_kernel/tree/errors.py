"""What can go wrong with a session file; every text says what happened, to what, and what to do."""

import errno
import os
from pathlib import Path


class SessionError(Exception):
    """Base of all session errors; `path` is the file (None for a session in memory), `remedy` what to do."""

    def __init__(self, path: Path | None, what: str, remedy: str) -> None:
        super().__init__(f"{path or 'session in memory'}: {what}. {remedy}")
        self.path = path
        self.remedy = remedy


class NotASession(SessionError):
    """The file has no session header, so pi neither reads nor ever writes it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, f"not a pi session ({reason})", "Check the path; the file was left untouched.")


class SessionMissing(SessionError):
    """There is no file at the path."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "no such session", "List the sessions of this directory, or start a new one.")


class SessionExists(SessionError):
    """A new session would land on an existing file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "already exists and is not overwritten", "Open it, or choose another name.")


class SessionLocked(SessionError):
    """Another process, or another tree in this one, holds the writer lock."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "open for writing elsewhere", "Close it there, open it read-only, or fork it.")


class SessionChanged(SessionError):
    """Another program changed, replaced or removed the file after it was opened here."""

    def __init__(self, path: Path, change: str) -> None:
        remedy = "Nothing more is written here: close the other program and reopen the session, or fork it."
        super().__init__(path, f"{change} by another program", remedy)


class SessionCorrupt(SessionError):
    """The entries contradict each other, so it is undecidable what an appended entry would mean."""

    def __init__(self, path: Path | None, what: str) -> None:
        super().__init__(path, what, "Open it read-only, or copy it: the copy leaves the contradictions out.")


class SessionReadOnly(SessionError):
    """An append to a session opened for reading, or whose format version is newer than this writer."""

    def __init__(self, path: Path, reason: str = "opened read-only") -> None:
        super().__init__(path, f"cannot be appended to ({reason})", "Fork it to continue in a file of its own.")


class SessionClosed(SessionError):
    """Use of a session after `close()`."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, "already closed", "Open it again.")


class SessionUnavailable(SessionError):
    """The operating system refused to open, create or lock the file."""

    def __init__(self, path: Path, action: str, error: OSError) -> None:
        remedy = "Check the permissions of the file and its directory, or choose another session directory."
        super().__init__(path, f"cannot {action} ({error.strerror or error})", remedy)


class WriteFailed(SessionError):
    """An entry could not be written whole; the file was rolled back and later appends are fenced off."""

    def __init__(self, path: Path, error: OSError, rolled_back: bool) -> None:
        full = error.errno in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
        cause = f"disk full or file size limit reached in {path.parent}" if full else f"write failed in {path.parent}"
        state = "the entry was taken back" if rolled_back else "a torn line may remain and is skipped on reopening"
        detail = error.strerror or os.strerror(error.errno or 0)
        super().__init__(path, f"{cause} ({detail}); {state}", "Free space there, then reopen the session.")
        self.disk_full = full


class SessionFenced(SessionError):
    """An append after a failed write."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "not written since an earlier write failed", "Reopen the session to continue it.")


class UnknownEntry(SessionError):
    """No entry of the session has that id."""

    def __init__(self, path: Path | None, entry_id: str) -> None:
        super().__init__(path, f"has no entry {entry_id!r}", "Take an id from entries().")


class BadFields(SessionError):
    """The fields of an entry cannot be stored as one JSON line."""

    def __init__(self, path: Path | None, reason: str) -> None:
        super().__init__(path, f"entry not stored: {reason}", "Pass JSON values under names of the entry's own.")
