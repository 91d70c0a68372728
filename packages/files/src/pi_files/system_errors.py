"""What the operating system said, as errors of this package."""

import errno
import sys

from pi_files.errors import (
    AccessDenied,
    AlreadyExists,
    BadPath,
    Failed,
    FileError,
    HeldOpen,
    NoSpace,
    NotADirectory,
    NotAFile,
    NotFound,
    ReadOnly,
)
from pi_files.windows_paths import plain

_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SHARING_VIOLATION, _DISK_FULL, _HANDLE_DISK_FULL = 32, 112, 39


def explain(error: OSError, action: str, path: object, code: int | None = None) -> FileError:
    """The `FileError` for what the system said; `action` is a verb such as `read`, `code` that of Windows."""
    failed = f"cannot {action} {plain(str(path))}"
    code = winerror(error) if code is None else code
    if code == _SHARING_VIOLATION:
        return HeldOpen(f"{failed}: another program has it open; close it there, then try again")
    if error.errno in _SPACE or code in (_DISK_FULL, _HANDLE_DISK_FULL):
        return NoSpace(f"{failed}: no space left on that disk (or over quota); free some, the file is as it was")
    table: dict[int | None, tuple[type[FileError], str]] = {
        errno.ENOENT: (NotFound, "it does not exist; list its directory to see what does"),
        errno.ENOTDIR: (NotADirectory, "part of the path is a file, not a directory; correct the path"),
        errno.EISDIR: (NotAFile, "it is a directory; name a file in it"),
        errno.EEXIST: (AlreadyExists, "it exists already; read it first"),
        errno.EACCES: (AccessDenied, "permission denied; change its permissions or choose another path"),
        errno.EPERM: (AccessDenied, "not permitted; change its permissions or attributes, or choose another path"),
        errno.EROFS: (ReadOnly, "its file system is read-only; choose a path on another one"),
        errno.ENAMETOOLONG: (BadPath, "a name in it is too long; shorten it"),
        errno.ELOOP: (BadPath, "its symbolic links go in a circle; remove the loop"),
        errno.EBUSY: (HeldOpen, "it is in use (open elsewhere, or a mount point); change it with a shell command"),
        errno.EINVAL: (BadPath, "the name is not valid here; choose another one"),
    }
    kind, remedy = table.get(error.errno, (Failed, f"{error.strerror or error}; resolve that and try again"))
    return kind(f"{failed}: {remedy}")


def winerror(error: OSError) -> int | None:
    """The Windows error code of an error, or `None` elsewhere."""
    return getattr(error, "winerror", None) if sys.platform == "win32" else None
