"""The lines of a session where they are kept: each appended whole or not at all, none ever changed."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import (
    NotASession,
    SessionChanged,
    SessionClosed,
    SessionExists,
    SessionLocked,
    SessionMissing,
    SessionReadOnly,
    SessionUnavailable,
    WriteFailed,
)
from .lock import try_lock

MAX_LINE = 256 * 1024 * 1024
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_BINARY = getattr(os, "O_BINARY", 0)  # Windows only
_PRIVATE = 0o600


class MemoryLog:
    """Lines in memory; the offset of a line is its number."""

    refusal = ""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def append(self, line: bytes, durable: bool = False) -> int:
        """Keeps a line and returns its offset."""
        self._lines.append(line)
        return len(self._lines) - 1

    def read(self, offset: int, length: int) -> bytes:
        """The line at an offset."""
        return self._lines[offset]

    def close(self) -> None:
        """Nothing to release."""


class FileLog:
    """Lines in a file.

    `prologue` is what the next append puts before its line: the header of a file that does not exist yet, or the end
    of a line that a killed writer left open. `refusal` says why nothing may be appended, if so.
    """

    def __init__(self, path: Path, prologue: bytes = b"") -> None:
        self.path = path
        self.prologue = prologue
        self.refusal = ""
        self._size = 0
        self._fd: int | None = None

    @classmethod
    def open(cls, path: Path, read_only: bool) -> "FileLog":
        """Opens an existing file without changing a byte, under the writer lock unless read-only."""
        log = cls(path)
        with os_errors(path, "open"):
            if not stat.S_ISREG(path.stat().st_mode):
                raise NotASession(path, "not a regular file")
            log._hold(os.open(path, (os.O_RDONLY if read_only else os.O_RDWR | os.O_APPEND) | _BINARY), not read_only)
            log._size = os.fstat(log._open_fd()).st_size
        log.refusal = "opened read-only" if read_only else ""
        log.prologue = b"" if log.read(log._size - 1, 1) in (b"\n", b"") else b"\n"
        return log

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Offset and bytes of each line that began before the file was opened.

        Of a line over MAX_LINE only as much is given, without its end.
        """
        offset = os.lseek(self._open_fd(), 0, os.SEEK_SET)
        with open(self._open_fd(), "rb", buffering=1 << 20, closefd=False) as file:
            while offset < self._size and (line := file.readline(MAX_LINE)):
                yield offset, line
                offset += len(line)
                while not line.endswith(b"\n") and (line := file.readline(1 << 20)):
                    offset += len(line)

    def append(self, line: bytes, durable: bool = False) -> int:
        """Writes a line and its end at once, with `durable` down to the disk; returns the offset of the line."""
        if self.refusal:
            raise SessionReadOnly(self.path, f"cannot be continued here ({self.refusal})")
        if self._fd is None:
            self._create()
        self._refuse_if_changed()
        data = self.prologue + line + b"\n"
        try:
            _write_all(self._open_fd(), data)
            if durable:
                os.fsync(self._open_fd())
        except OSError as error:
            self._take_back()
            raise WriteFailed(self.path, error) from error
        self._size += len(data)
        self.prologue = b""
        self._refuse_if_changed()
        return self._size - len(line) - 1

    def read(self, offset: int, length: int) -> bytes:
        """Bytes of the file."""
        with os_errors(self.path, "read"):
            os.lseek(self._open_fd(), max(offset, 0), os.SEEK_SET)
            return os.read(self._open_fd(), length)

    def close(self) -> None:
        """Releases the file and its lock; a second call does nothing."""
        self.refusal = "already closed"
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _open_fd(self) -> int:
        if self._fd is None:
            raise SessionClosed(self.path, "already closed")
        return self._fd

    def _create(self) -> None:
        with os_errors(self.path, "create"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._hold(os.open(self.path, _CREATE | _BINARY, _PRIVATE), lock=True)

    def _hold(self, fd: int, lock: bool) -> None:
        try:
            if lock and not try_lock(fd):
                raise SessionLocked(self.path, "open for writing elsewhere")
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def _refuse_if_changed(self) -> None:
        """Whoever writes here without the lock would make two entries follow the same leaf unnoticed."""
        mine = os.fstat(self._open_fd())
        if mine.st_size != self._size:
            raise SessionChanged(self.path, f"changed by another program ({mine.st_size} bytes, not {self._size})")
        if os.name == "nt":
            return  # no program can remove or replace a file that is open
        try:
            there = os.stat(self.path)
        except FileNotFoundError as error:
            raise SessionChanged(self.path, "removed by another program") from error
        if (mine.st_dev, mine.st_ino) != (there.st_dev, there.st_ino):
            raise SessionChanged(self.path, "replaced by another program")

    def _take_back(self) -> None:
        """Undoes a write that failed half-way; a file that was only just created goes away again."""
        self.refusal = "an earlier write failed"
        with contextlib.suppress(OSError):  # what then remains is a torn line, which reopening skips
            os.ftruncate(fd := self._open_fd(), self._size)
            if self._size == 0:
                self._fd = None
                os.close(fd)
                self.path.unlink()
                self.refusal = ""


def publish(path: Path, lines: Iterable[bytes]) -> None:
    """Writes a new file at once and down to the disk; an existing one is left alone."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with os_errors(path, "create"):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, _CREATE, _PRIVATE))  # reserves the name
        try:
            with open(os.open(temporary, _CREATE | _BINARY, _PRIVATE), "wb") as file:
                file.writelines(line + b"\n" for line in lines)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            path.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def os_errors(path: Path, action: str) -> Iterator[None]:
    """Turns an error of the operating system into the session error that says what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise SessionMissing(path, "no such session") from error
    except OSError as error:
        if isinstance(error, FileExistsError) and path.exists():
            raise SessionExists(path, "already exists") from error
        raise SessionUnavailable(path, f"cannot {action} it ({error.strerror})") from error


def _write_all(fd: int, data: bytes) -> None:
    """One write as a rule; after the short one of a disk that fills up, the next names the reason."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
