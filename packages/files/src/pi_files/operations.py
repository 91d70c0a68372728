"""The seam between the file tools and the machine whose files they work on: this one, or one behind ssh."""

import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO, Literal, Protocol

from pi_files import atomic
from pi_files.errors import NotAFile
from pi_files.system_errors import explain
from pi_files.windows_paths import extended, plain

EntryKind = Literal["file", "directory", "link", "other"]


@dataclass(frozen=True, slots=True)
class FileStat:
    """What is at a path, links followed; `size` in bytes."""

    kind: Literal["file", "directory", "other"]
    size: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a directory. `kind` is that of the entry itself, `is_directory` that of what a link leads to."""

    name: str
    kind: EntryKind
    is_directory: bool


class FileOperations(Protocol):
    """Access to the files of one machine. Calls block; the tools make them in threads. Paths are absolute.

    `system` names the machine, `home` is where `~` leads and decides the flavour of paths. `local`: its paths are this
    machine's, so that programs started here find them. Everything raises `FileError`.
    """

    @property
    def system(self) -> str: ...
    @property
    def home(self) -> PurePath: ...
    @property
    def local(self) -> bool: ...

    def stat(self, path: PurePath) -> FileStat | None:
        """What is there; `None` when nothing is."""
        ...

    def real_path(self, path: PurePath) -> PurePath:
        """The path with its links resolved, as far as it exists."""
        ...

    def read(self, path: PurePath) -> bytes:
        """The whole content of a file; `NotAFile` for anything else, which might never end."""
        ...

    def open(self, path: PurePath) -> BinaryIO:
        """A file opened for reading in pieces."""
        ...

    def list(self, path: PurePath) -> Sequence[Entry]:
        """The entries of a directory, in no order, without `.` and `..`."""
        ...

    def create(self, path: PurePath, data: bytes) -> None:
        """Make a new file with its folders; `AlreadyExists` when the name is taken. All or nothing."""
        ...

    def replace(self, path: PurePath, data: bytes) -> None:
        """Give an existing file new content, keeping its mode. All or nothing. `path` is a real path."""
        ...


class LocalFiles:
    """The files of this machine."""

    system = "local"
    local = True

    @property
    def home(self) -> PurePath:
        return Path.home()

    def stat(self, path: PurePath) -> FileStat | None:
        try:
            found = os.stat(_native(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise explain(error, "look at", path) from error
        if stat.S_ISDIR(found.st_mode):
            return FileStat("directory", 0)
        return FileStat("file" if stat.S_ISREG(found.st_mode) else "other", found.st_size)

    def real_path(self, path: PurePath) -> PurePath:
        native = _native(path)
        try:
            real = os.path.realpath(native)
        except OSError:
            # Windows cannot name what some drivers and redirections lead to; the path itself is as good a name.
            real = os.path.abspath(path)
        return Path(plain(real) if native != str(path) else real)

    def read(self, path: PurePath) -> bytes:
        with self.open(path) as file:
            try:
                return file.read()
            except OSError as error:
                raise explain(error, "read", path) from error

    def open(self, path: PurePath) -> BinaryIO:
        try:
            # Opened without waiting, as a pipe without a writer would block for ever.
            descriptor = os.open(_native(path), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise self._explain_open(error, path) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise NotAFile(f"cannot read {path}: it is not a regular file (a directory, device, pipe or socket)")
        return open(descriptor, "rb", closefd=True)

    def list(self, path: PurePath) -> Sequence[Entry]:
        try:
            with os.scandir(_native(path)) as entries:
                return [_entry(entry) for entry in entries]
        except OSError as error:
            raise explain(error, "list", path) from error

    def create(self, path: PurePath, data: bytes) -> None:
        atomic.create_file(_native(path), data)

    def replace(self, path: PurePath, data: bytes) -> None:
        atomic.replace_file(_native(path), data)

    def _explain_open(self, error: OSError, path: PurePath) -> Exception:
        # Windows says "permission denied" when a directory is opened as a file.
        if isinstance(error, PermissionError) and os.path.isdir(path):
            return NotAFile(f"cannot read {path}: it is a directory; list it instead")
        return explain(error, "read", path)


class Files:
    """Where the file tools of a session work: `context.state(Files)`.

    A plugin that brings another machine sets `operations`, and `cwd` to where relative paths start there.
    """

    def __init__(self) -> None:
        self.operations: FileOperations = LocalFiles()
        self.cwd: PurePath | None = None


def _native(path: PurePath) -> str:
    return extended(str(path)) if sys.platform == "win32" else str(path)


def _entry(entry: "os.DirEntry[str]") -> Entry:
    kind: EntryKind = "other"
    try:
        if entry.is_symlink():
            kind = "link"
        elif entry.is_dir(follow_symlinks=False):
            kind = "directory"
        elif entry.is_file(follow_symlinks=False):
            kind = "file"
        return Entry(entry.name, kind, entry.is_dir())
    except OSError:
        # It vanished or may not be looked at; its name is still worth showing.
        return Entry(entry.name, kind, False)
