"""What can go wrong with a session; every text says what happened, to which file, and what to do."""

import errno
from pathlib import Path

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class SessionError(Exception):
    """Base of all session errors; `path` is None for a session in memory, `remedy` is the advice in the text."""

    remedy = ""

    def __init__(self, path: Path | None, what: str) -> None:
        super().__init__(f"{path or 'session in memory'}: {what}. {self.remedy}")
        self.path = path


class NotASession(SessionError):
    """The file has no session header; pi does not write to it."""

    remedy = "Check the path; the file was left untouched."


class SessionMissing(SessionError):
    """There is no file at the path."""

    remedy = "List the sessions of its directory, or start a new one."


class SessionExists(SessionError):
    """A new session would land on an existing file."""

    remedy = "Open it, or choose another name; it was not overwritten."


class SessionLocked(SessionError):
    """Another process, or another tree of this one, holds the writer lock."""

    remedy = "Close it there, open it read-only here, or fork it."


class SessionChanged(SessionError):
    """Another program changed, replaced or removed the file while it was open here."""

    remedy = "Nothing more is written: close the other program and reopen the session, or fork it."


class SessionCorrupt(SessionError):
    """Entries contradict each other, so the meaning of an appended one would be undecidable."""

    remedy = "Open it read-only, or copy it from there: the copy leaves the contradictions out."


class SessionReadOnly(SessionError):
    """An append to a session that was opened for reading, closed, fenced off or of another format version."""

    remedy = "Fork it into a new session, or reopen it for writing if its format allows."


class SessionClosed(SessionError):
    """A payload was asked for after `close()`."""

    remedy = "Open it again, or read what you need before closing it."


class SessionUnavailable(SessionError):
    """The operating system refused to open, create, lock or read the file."""

    remedy = "Check the permissions of the file and its directory, or choose another session directory."


class WriteFailed(SessionError):
    """An entry could not be written whole; it was taken back, and later appends are fenced off."""

    remedy = "Make room or repair the disk there, then reopen the session."

    def __init__(self, path: Path, error: OSError) -> None:
        self.disk_full = error.errno in _FULL
        cause = "disk full or size limit reached" if self.disk_full else "write failed"
        super().__init__(path, f"{cause} in {path.parent} ({error.strerror})")


class UnknownEntry(SessionError):
    """The session has no entry of that id."""

    remedy = "Take an id from entries()."


class BadFields(SessionError):
    """The fields of an entry cannot be stored as a line of JSON."""

    remedy = "Pass JSON values, under names other than type, id, parentId and timestamp."
