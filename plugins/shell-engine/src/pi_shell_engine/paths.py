"""Paths as the contract sees them, on either family of systems; nothing here touches a file."""

from __future__ import annotations

import ntpath
import os
import posixpath
from dataclasses import dataclass

NULL_DEVICE = "/dev/null"
STANDARD_FILES = {
    **dict(zip(("/dev/stdin", "/dev/stdout", "/dev/stderr"), range(3), strict=True)),
    **{f"{folder}/{number}": number for folder in ("/dev/fd", "/proc/self/fd") for number in range(3)},
}
"""Names of a command's own descriptors 0, 1 and 2. To the system they would be the engine's."""


@dataclass(frozen=True, slots=True)
class PathRules:
    """How paths are read. Tests make one for Windows on any system; `HERE` is the rules of this one."""

    windows: bool

    def join(self, cwd: str, path: str) -> str:
        """`path` as an operand stands for it in `cwd`: what to give to the system.

        `/dev/null` is the null device; the empty path stays empty, for it names nothing.
        """
        if not path:
            return path
        if path == NULL_DEVICE:
            return "NUL" if self.windows else NULL_DEVICE
        return ntpath.join(cwd, path) if self.windows else posixpath.join(cwd, path)

    def normal(self, path: str) -> str:
        """`path` without `.`, `..` and doubled separators, by text alone."""
        return ntpath.normpath(path) if self.windows else posixpath.normpath(path)

    def slashed(self, path: str) -> str:
        """`path` as it is printed: `/` between its parts."""
        return path.replace("\\", "/") if self.windows else path

    def has_folder(self, word: str) -> bool:
        """Whether a command word names a path rather than a program to look for on PATH."""
        return "/" in word or (self.windows and ("\\" in word or ntpath.splitdrive(word)[0] != ""))

    def is_absolute(self, path: str) -> bool:
        """Whether `path` does not depend on the working directory."""
        return ntpath.isabs(path) if self.windows else path.startswith("/")


HERE = PathRules(windows=os.name == "nt")
