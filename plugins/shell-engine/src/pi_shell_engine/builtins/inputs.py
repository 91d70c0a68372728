"""Opening what commands read: operands in order, `-` and nothing at all being the standard input."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.interface import BLOCK, reason
from pi_shell_engine.streams import read

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO

READ_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)


def blocks(descriptor: int, size: int = BLOCK) -> Iterator[bytes]:
    """The rest of a descriptor, block by block."""
    while block := read(descriptor, size):
        yield block


def whole(descriptor: int) -> bytes:
    """The rest of a descriptor."""
    return b"".join(blocks(descriptor))


def each(
    io: BuiltinIO,
    operands: Sequence[str],
    prefix: str = "",
    folder: Callable[[str], object] | None = None,
) -> Iterator[tuple[str, int]]:
    """Every operand that can be read, with a descriptor to read it from; of the others it is said why not.

    `prefix` goes before the name in what is said; `folder` is called instead for a directory.
    A caller counts the pairs to know whether all could be read.
    """
    for operand in operands or ("-",):
        try:
            descriptor = _open(io, operand)
        except OSError as error:
            if folder is not None and isinstance(error, IsADirectoryError):
                folder(operand)
                continue
            io.error(f"{prefix}{operand}: {reason(error)}")
            continue
        try:
            yield operand, descriptor
        finally:
            if descriptor != io.stdin:
                os.close(descriptor)


def _open(io: BuiltinIO, operand: str) -> int:
    """A descriptor for an operand; `IsADirectoryError` on every system when it is a directory."""
    if operand == "-":
        return io.stdin
    path = io.resolve(operand)
    # Windows refuses to open a directory with "permission denied"; the right reason is looked up first.
    if os.name == "nt" and os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    descriptor = os.open(path, READ_FLAGS)
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return descriptor
