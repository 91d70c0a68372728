"""Replacing and creating files so that a reader sees the old content or the new one, never a part.

The new content goes to the disk first, in the same folder, and then takes the name in one step.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from pi_files.errors import AlreadyExists, FileError, HeldOpen, ReadOnly
from pi_files.fresh_content import FreshContent, LinksRefused
from pi_files.system_errors import explain, winerror
from pi_files.windows_paths import plain

REPLACE_LIMIT = 3.0
"""Seconds for which replacing a file that others hold open is tried again (Windows)."""

_ACCESS_DENIED, _SHARING_VIOLATION = 5, 32


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
    try:
        _replace(path, data, before, sleep, unnamed=True)
    except LinksRefused:
        _replace(path, data, before, sleep, unnamed=False)


def create_file(path: str, data: bytes) -> None:
    """Make a file that must not exist yet, and the folders above it. Raises a `FileError`."""
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise explain(error, "make the folder of", path) from error
    try:
        _create(path, data)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise explain(error, "create", path) from error
    _flush_folder(os.path.dirname(path))


def _replace(path: str, data: bytes, before: os.stat_result, sleep: Callable[[float], None], *, unnamed: bool) -> None:
    # What is private stays so while it waits for its name.
    with FreshContent(path, data, mode=0o600, unnamed=unnamed) as content:
        try:
            content.become_like(before)
            temporary = content.temporary_name()
        except OSError as error:
            raise explain(error, "write", path) from error
        _retrying(lambda: os.replace(temporary, path), path, sleep)
    _flush_folder(os.path.dirname(path))


def _create(path: str, data: bytes) -> None:
    if sys.platform == "win32":
        with FreshContent(path, data) as content:
            os.rename(content.temporary_name(), path)
        return
    try:
        with FreshContent(path, data) as content:
            content.link_to(path)
    except LinksRefused:
        with FreshContent(path, data, unnamed=False) as content:
            # Taking the name first makes the rename replace only our own file.
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            os.replace(content.temporary_name(), path)


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
