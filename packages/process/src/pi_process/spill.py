"""The file that takes a long output, exactly as it came."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class SpillFile:
    """Holds bytes in memory up to `limit`; beyond it, everything from the first byte goes to a new 0600 file.

    Trouble with the file is kept in `error` and ends the spilling; it is never raised.
    """

    def __init__(self, limit: int, directory: str | os.PathLike[str] | None) -> None:
        self.path: Path | None = None
        self.error: str | None = None
        self._limit = limit
        self._directory = directory
        self._held = bytearray()
        self._descriptor = -1

    def write(self, data: bytes) -> None:
        if self.error is not None:
            return
        try:
            if self._descriptor >= 0:
                self._put(data)
                return
            self._held += data
            if len(self._held) > self._limit:
                self._open()
                self._put(self._held)
                self._held = bytearray()
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        try:
            os.close(descriptor)
        except OSError as error:
            self._give_up(error)

    def _open(self) -> None:
        import tempfile

        # mkstemp makes the file new and readable by this user only.
        self._descriptor, name = tempfile.mkstemp(prefix="pi-output-", suffix=".log", dir=self._directory)
        self.path = Path(name)

    def _put(self, data: bytes | bytearray) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def _give_up(self, error: OSError) -> None:
        """Half a file would pass for the whole output, so none is left."""
        where = self.path or self._directory or "the temporary folder"
        self.error = (
            f"the full output could not be saved in {where}: {error.strerror or error}; free space or change the folder"
        )
        self._held = bytearray()
        if self._descriptor >= 0:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self.path = None
