"""Replacing and creating files so that a reader sees the old content or the new one, never a part.

The new content goes to a temporary file in the same folder, to the disk, and then takes the name in one step.
"""

import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from pi_files.errors import AlreadyExists, FileError, HeldOpen, ReadOnly
from pi_files.system_errors import explain, winerror
from pi_files.windows_paths import plain

REPLACE_LIMIT = 3.0
"""Seconds for which replacing a file that others hold open is tried again (Windows)."""

_ACCESS_DENIED, _SHARING_VIOLATION = 5, 32
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


def replace_file(path: str, data: bytes, sleep: Callable[[float], None] = time.sleep) -> None:
    """Give an existing file new content; its mode and, where allowed, its owner stay. `path` has its links resolved.

    Raises a `FileError`; the file is then as it was.
    """
    try:
        before = os.stat(path)
    except OSError as error:
        raise explain(error, "write", path) from error
    if not before.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise ReadOnly(f"cannot write {plain(path)}: it is read-only; make it writable first if that is intended")
    # What is private stays so while it waits for its name.
    temporary = _temporary(path, data, 0o600)
    try:
        _keep_attributes(temporary, before)
        _retrying(lambda: os.replace(temporary, path), path, sleep)
        _flush_folder(os.path.dirname(path))
    except BaseException:
        _discard(temporary)
        raise


def create_file(path: str, data: bytes) -> None:
    """Make a file that must not exist yet, and the folders above it. Raises a `FileError`."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise explain(error, "make the folder of", path) from error
    temporary = _temporary(path, data, 0o666)
    try:
        _name_exclusively(temporary, path, data)
        _flush_folder(os.path.dirname(path))
    except OSError as error:
        raise explain(error, "create", path) from error
    finally:
        _discard(temporary)


def _temporary(path: str, data: bytes, mode: int) -> str:
    name = os.path.join(os.path.dirname(path), f".pi-{secrets.token_hex(6)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(name, flags, mode)
    except OSError as error:
        raise explain(error, "write beside", path) from error
    try:
        with open(descriptor, "wb", closefd=True) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        _discard(name)
        raise explain(error, "write", path) from error
    except BaseException:
        _discard(name)
        raise
    return name


def _keep_attributes(temporary: str, before: os.stat_result) -> None:
    if sys.platform != "win32":
        now = os.stat(temporary)
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            # Only root may give files away; the content matters more than the owner.
            with suppress(PermissionError):
                os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _retrying(step: Callable[[], None], path: str, sleep: Callable[[float], None]) -> None:
    """Repeat a rename that Windows refuses while somebody else has the target open."""
    waited, pause = 0.0, 0.01
    while True:
        try:
            return step()
        except OSError as error:
            if winerror(error) not in (_ACCESS_DENIED, _SHARING_VIOLATION):
                raise explain(error, "write", path) from error
            if waited >= REPLACE_LIMIT:
                raise HeldOpen(
                    f"cannot write {plain(path)}: another program keeps it open; close it there and try again "
                    "(the file is as it was)"
                ) from error
        sleep(pause)
        waited += pause
        pause = min(pause * 2, 0.25)


def _name_exclusively(temporary: str, path: str, data: bytes) -> None:
    """Give the temporary file its name unless that is taken."""
    try:
        if sys.platform == "win32":
            os.rename(temporary, path)
        else:
            os.link(temporary, path)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        if error.errno not in _NO_LINKS or sys.platform == "win32":
            raise
        _reserve(path)
        os.replace(temporary, path)


def _reserve(path: str) -> None:
    """Take a name on file systems without hard links, so that the rename that follows replaces only our own file."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError as error:
        raise _taken(path) from error


def _taken(path: str) -> FileError:
    return AlreadyExists(f"cannot create {plain(path)}: something else has just made it; read it first")


def _flush_folder(folder: str) -> None:
    """Make the new name survive a power cut, where folders can be flushed."""
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _discard(temporary: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(temporary)
