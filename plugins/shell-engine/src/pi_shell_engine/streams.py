"""Reading and writing raw file descriptors, with one meaning on both families of systems."""

from __future__ import annotations

import errno
import os
import sys

WINDOWS = sys.platform == "win32"


def read(descriptor: int, size: int) -> bytes:
    """The next bytes, at most `size`; empty at the end, also where the last writer of a pipe has gone."""
    try:
        return os.read(descriptor, size)
    except BrokenPipeError:
        return b""


def write_all(descriptor: int, data: bytes | bytearray | memoryview) -> None:
    """All of `data`. Raises `BrokenPipeError` when nobody reads it any more, `OSError` for the rest."""
    try:
        written = os.write(descriptor, data)
        if written == len(data):
            return
        view = memoryview(data).cast("B")
        while written < len(view):
            written += os.write(descriptor, view[written:])
    except OSError as error:
        # Windows says "invalid argument" for a pipe whose reader has gone.
        if WINDOWS and error.errno == errno.EINVAL:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
        raise
