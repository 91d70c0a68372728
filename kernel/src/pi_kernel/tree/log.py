"""Where the lines of a session live: appended whole or not at all, in a file or in memory."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from .entry import MAX_LINE
from .errors import (
    NotASession,
    SessionChanged,
    SessionClosed,
    SessionExists,
    SessionFenced,
    SessionLocked,
    SessionMissing,
    SessionReadOnly,
    SessionUnavailable,
    WriteFailed,
)
from .lock import try_lock

_BINARY = getattr(os, "O_BINARY", 0)
_PRIVATE = 0o600
TORN_SEAL = b" (torn)\n"


class Log(Protocol):
    """An append-only sequence of lines."""

    def append(self, line: bytes, durable: bool = False) -> int:
        """Stores a line and its newline, to the disk itself if durable; returns where it starts."""

    def read(self, offset: int, length: int) -> bytes: ...

    def close(self) -> None: ...


class MemoryLog:
    """Lines kept in memory; an offset is a position in the list."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def append(self, line: bytes, durable: bool = False) -> int:
        self._lines.append(line)
        return len(self._lines) - 1

    def read(self, offset: int, length: int) -> bytes:
        return self._lines[offset]

    def close(self) -> None:
        """Nothing to release."""


class FileLog:
    """A session file. What must precede the next line (header, missing newline) waits in `prologue`."""

    def __init__(self, path: Path, prologue: bytes = b"") -> None:
        """A file that the first append creates, `prologue` in front."""
        self.path = path
        self.prologue = prologue
        self.read_only = ""
        self.size = 0
        self._fd: int | None = None
        self._closed = False
        self._fenced = False

    @classmethod
    def open(cls, path: Path, read_only: bool) -> "FileLog":
        """Opens an existing regular file without changing a byte, holding the writer lock unless read-only."""
        log = cls(path)
        log.read_only = "opened read-only" if read_only else ""
        with os_errors(path, "open the session"):
            if not stat.S_ISREG(path.stat().st_mode):
                raise NotASession(path, "not a regular file")
            log._fd = os.open(path, (os.O_RDONLY if read_only else os.O_RDWR | os.O_APPEND) | _BINARY)
            log._lock_or_close(read_only)
            log.size = os.fstat(log._fd).st_size
            if log.size and log.read(log.size - 1, 1) != b"\n":
                log.prologue = b"\n"
        return log

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Offset and bytes of each line, newline included; of one longer than MAX_LINE only its beginning."""
        os.lseek(self._open_fd(), 0, os.SEEK_SET)
        with open(self._open_fd(), "rb", buffering=1 << 20, closefd=False) as file:
            offset = 0
            while line := file.readline(MAX_LINE + 1):
                yield offset, line
                offset += len(line) + (0 if line.endswith(b"\n") else _skip_line(file))

    def read(self, offset: int, length: int) -> bytes:
        fd = self._open_fd()
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)

    def append(self, line: bytes, durable: bool = False) -> int:
        """One write; raises without a trace of the line in the file when it does not succeed whole."""
        self._refuse_if_unwritable()
        fd, created = (self._create(), True) if self._fd is None else (self._fd, False)
        self.refuse_if_changed()
        data = self.prologue + line + b"\n"
        try:
            _write_all(fd, data)
            if durable:
                os.fsync(fd)
        except OSError as error:
            raise WriteFailed(self.path, error, self._take_back(fd, created)) from error
        self.size += len(data)
        self.prologue = b""
        self.refuse_if_changed()
        return self.size - len(line) - 1

    def refuse_if_changed(self) -> None:
        """Raises SessionChanged unless the file at the path is the open one and as long as it was left."""
        mine = os.fstat(self._open_fd())
        try:
            there = os.stat(self.path)
        except FileNotFoundError as error:
            raise SessionChanged(self.path, "removed") from error
        if (mine.st_dev, mine.st_ino) != (there.st_dev, there.st_ino):
            raise SessionChanged(self.path, "replaced")
        if mine.st_size != self.size:
            raise SessionChanged(self.path, f"changed from {self.size} to {mine.st_size} bytes")

    def close(self) -> None:
        """Releases file and lock; closing twice is harmless."""
        self._closed = True
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _refuse_if_unwritable(self) -> None:
        if self._closed:
            raise SessionClosed(self.path)
        if self.read_only:
            raise SessionReadOnly(self.path, self.read_only)
        if self._fenced:
            raise SessionFenced(self.path)

    def _open_fd(self) -> int:
        if self._fd is None:
            raise SessionClosed(self.path)
        return self._fd

    def _create(self) -> int:
        with os_errors(self.path, "create the session"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | _BINARY, _PRIVATE)
            self._lock_or_close(read_only=False)
        return self._fd

    def _lock_or_close(self, read_only: bool) -> None:
        fd = self._open_fd()
        try:
            if not read_only and not try_lock(fd):
                raise SessionLocked(self.path)
        except BaseException:
            self.close()
            raise

    def _take_back(self, fd: int, created: bool) -> bool:
        """Undoes a partial write; a file this append created goes away, any other is fenced off."""
        try:
            os.ftruncate(fd, self.size)
            if created:
                self._fd = None
                os.close(fd)
                self.path.unlink()
        except OSError:
            self._fenced = True
            return False
        self._fenced = not created
        return True


def publish(path: Path, chunks: Iterable[bytes]) -> None:
    """Writes a whole new file: nobody ever sees half of it, and an existing file is left alone."""
    with os_errors(path, "create the session"):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))  # reserves the name
        try:
            replace(path, chunks)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def replace(path: Path, chunks: Iterable[bytes]) -> None:
    """Swaps the content of a file that nobody here holds open, at once and down to the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with os_errors(path, "write the session"):
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, _PRIVATE), "wb") as file:
                file.writelines(chunks)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def _write_all(fd: int, data: bytes) -> None:
    """A disk that fills up shows as a short write first; the next one then names the reason."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while part := file.readline(1 << 20):
        skipped += len(part)
        if part.endswith(b"\n"):
            break
    return skipped


@contextlib.contextmanager
def os_errors(path: Path, action: str) -> Iterator[None]:
    """Turns an OSError about a session file into the session error that says what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise SessionMissing(path) from error
    except FileExistsError as error:
        raise SessionExists(path) from error
    except OSError as error:
        raise SessionUnavailable(path, action, error) from error
