"""New content on the disk that has no name yet, or one that nobody looks for.

Linux gives files without a name (O_TMPFILE): a process killed while it writes one leaves nothing behind. Elsewhere a
temporary file in the same folder takes its place.
"""

import errno
import os
import secrets
import stat
import sys
from contextlib import suppress
from types import TracebackType
from typing import Self

from pi_files.system_errors import explain

_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES, errno.EXDEV, errno.ENOENT}


class LinksRefused(Exception):
    """This file system gives no second name to a file."""


class FreshContent:
    """`data` on the disk of `path`, ready to take a name; leaving the block drops it unless it took one.

    `mode` is what the umask is taken from; `unnamed` asks for a file without a name where the system has them. Raises
    a `FileError`.
    """

    def __init__(self, path: str, data: bytes, *, mode: int = 0o666, unnamed: bool = True) -> None:
        self._folder = os.path.dirname(path) or "."
        self._descriptor = self._open_unnamed(mode) if unnamed else None
        self._name = "" if self._descriptor is not None else self._fresh_name()
        try:
            self._write(data, mode)
        except BaseException as error:
            self._drop()
            if isinstance(error, OSError):
                raise explain(error, "write", path) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def become_like(self, before: os.stat_result) -> None:
        """Take over mode and, where allowed, owner of a file."""
        if sys.platform != "win32":
            now = os.stat(self._place)
            if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
                # Only root may give files away; the content matters more than the owner.
                with suppress(PermissionError):
                    os.chown(self._place, before.st_uid, before.st_gid)
        os.chmod(self._place, stat.S_IMODE(before.st_mode))

    def temporary_name(self) -> str:
        """A path that can be renamed. Raises `LinksRefused`."""
        if not self._name:
            name = self._fresh_name()
            self.link_to(name)
            self._name = name
        return self._name

    def link_to(self, name: str) -> None:
        """Give it a name that must be free (`FileExistsError`), on POSIX. Raises `LinksRefused`."""
        try:
            if self._descriptor is None:
                os.link(self._name, name)
            else:
                # Naming a folder makes Python follow the link in /proc, which is absolute.
                os.link(self._place, name, src_dir_fd=self._descriptor, follow_symlinks=True)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno in _NO_LINKS:
                raise LinksRefused from error
            raise

    @property
    def _place(self) -> str:
        return self._name if self._descriptor is None else f"/proc/self/fd/{self._descriptor}"

    def _open_unnamed(self, mode: int) -> int | None:
        if not hasattr(os, "O_TMPFILE"):
            return None
        try:
            descriptor = os.open(self._folder, os.O_TMPFILE | os.O_WRONLY, mode)
        except OSError:
            # The file system has no such files, or the folder cannot be written, which the next step tells better.
            return None
        if os.path.exists(f"/proc/self/fd/{descriptor}"):
            return descriptor
        os.close(descriptor)
        return None

    def _fresh_name(self) -> str:
        return os.path.join(self._folder, f".pi-{secrets.token_hex(6)}.tmp")

    def _write(self, data: bytes, mode: int) -> None:
        if self._descriptor is not None:
            _fill(self._descriptor, data, closefd=False)
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        _fill(os.open(self._name, flags, mode), data, closefd=True)

    def _drop(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if self._name:
            with suppress(FileNotFoundError):
                os.unlink(self._name)


def _fill(descriptor: int, data: bytes, *, closefd: bool) -> None:
    with open(descriptor, "wb", closefd=closefd) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
