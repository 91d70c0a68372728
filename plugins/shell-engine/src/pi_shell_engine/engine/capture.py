"""A file without a name that collects the output of commands; unlike a pipe it needs no reader beside them."""

from __future__ import annotations

import os
import sys
from types import TracebackType


class Capture:
    """Its `descriptor` is written to by builtins and programs alike; `content` is what they wrote."""

    __slots__ = ("_file", "descriptor")

    def __init__(self) -> None:
        if sys.platform == "linux":
            self._file = None
            self.descriptor = os.memfd_create("output", os.MFD_CLOEXEC)
        else:
            import tempfile

            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - this class is its context manager
            self.descriptor = self._file.fileno()

    def content(self) -> bytes:
        """Everything written so far."""
        size = os.lseek(self.descriptor, 0, os.SEEK_END)
        if size == 0:
            return b""
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        content = os.read(self.descriptor, size)
        while len(content) < size and (more := os.read(self.descriptor, size - len(content))):
            content += more
        return content

    def __enter__(self) -> Capture:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
        else:
            os.close(self.descriptor)
