"""What the system says is told in words that help."""

import errno
import os

import pytest
from pi_files import errors
from pi_files.system_errors import explain


@pytest.mark.parametrize(
    ("number", "code", "kind", "remedy"),
    [
        (errno.ENOENT, None, errors.NotFound, "list its directory"),
        (errno.ENOTDIR, None, errors.NotADirectory, "correct the path"),
        (errno.EISDIR, None, errors.NotAFile, "name a file in it"),
        (errno.EEXIST, None, errors.AlreadyExists, "read it first"),
        (errno.EACCES, None, errors.AccessDenied, "change its permissions or choose another path"),
        (errno.EPERM, None, errors.AccessDenied, "permissions or attributes"),
        (errno.EROFS, None, errors.ReadOnly, "file system is read-only"),
        (errno.ENOSPC, None, errors.NoSpace, "free some, the file is as it was"),
        (errno.EFBIG, None, errors.NoSpace, "free some"),
        (errno.ENAMETOOLONG, None, errors.BadPath, "shorten it"),
        (errno.ELOOP, None, errors.BadPath, "remove the loop"),
        (errno.EBUSY, None, errors.HeldOpen, "mount point"),
        (errno.EIO, None, errors.Failed, "resolve that and try again"),
        (errno.EACCES, 32, errors.HeldOpen, "close it there, then try again"),
        (errno.EACCES, 5, errors.AccessDenied, "permission denied"),
        (errno.ENOSPC, 112, errors.NoSpace, "free some"),
        (errno.EINVAL, 123, errors.BadPath, "not valid here"),
    ],
)
def test_an_error_says_what_happened_to_what_and_what_to_do(
    number: int, code: int | None, kind: type[errors.FileError], remedy: str
) -> None:
    error = explain(OSError(number, os.strerror(number)), "write", "\\\\?\\C:\\dev\\x", code)
    assert type(error) is kind
    assert str(error).startswith("cannot write C:\\dev\\x: ")
    assert remedy in str(error)
