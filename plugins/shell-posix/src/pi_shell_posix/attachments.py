"""The files behind a request's own standard input and its separate standard error."""

import os
import shutil
import tempfile
from types import TracebackType

from pi_api.shell import ShellRequest


class Attachments:
    """Paths to redirect a command to; the files are gone at the end of the `with`."""

    def __init__(self, request: ShellRequest) -> None:
        self.stdin = os.devnull
        self.stderr: str | None = None
        self._request = request
        self._folder: str | None = None

    def __enter__(self) -> "Attachments":
        if self._request.stdin or self._request.split:
            self._folder = tempfile.mkdtemp(prefix="pi-shell-")
        if self._folder and self._request.stdin:
            self.stdin = os.path.join(self._folder, "stdin")
            with open(self.stdin, "wb") as file:
                file.write(self._request.stdin)
        if self._folder and self._request.split:
            self.stderr = os.path.join(self._folder, "stderr")
        return self

    def errors(self) -> bytes:
        """What the command has written to its standard error, where that was asked for separately."""
        if self.stderr is None or not os.path.exists(self.stderr):
            return b""
        with open(self.stderr, "rb") as file:
            return file.read()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
