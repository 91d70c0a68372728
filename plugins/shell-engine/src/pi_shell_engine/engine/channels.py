"""The engine's own descriptors: the pipes to the host, and the input of a command."""

from __future__ import annotations

import base64
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pi_shell_engine.engine.threads import call_in_thread
from pi_shell_engine.streams import write_all

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Channels:
    """The engine's own descriptors, out of reach of commands."""

    requests: int
    output: int
    control: int
    null: int
    _held: bytearray = field(default_factory=bytearray)

    def lines(self) -> Iterator[bytes]:
        """The request lines, until the host closes the pipe."""
        held = self._held
        while True:
            end = held.find(b"\n")
            while end < 0:
                data = os.read(self.requests, 1 << 16)
                if not data:
                    return
                start = len(held)
                held += data
                end = held.find(b"\n", start)
            line = bytes(held[:end])
            del held[: end + 1]
            yield line


def take_channels() -> Channels:
    """Moves the three standard descriptors away, so that no command and no stray `print` can reach them."""
    requests, output, control = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (requests, output, control, null):
            msvcrt.setmode(descriptor, os.O_BINARY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    return Channels(requests, output, control, null)


class Input:
    """The standard input of a request: empty, or bytes that came with it."""

    def __init__(self, encoded: str | None, null: int) -> None:
        self._data = base64.b64decode(encoded) if encoded else b""
        self._descriptor = null
        self._owned = False

    def __enter__(self) -> int:
        if self._data:
            self._descriptor, writing = os.pipe()
            self._owned = True
            data = self._data

            def feed() -> int:
                try:
                    write_all(writing, data)
                except OSError:
                    return 1
                finally:
                    os.close(writing)
                return 0

            call_in_thread(feed)
        return self._descriptor

    def __exit__(self, *error: object) -> None:
        if self._owned:
            os.close(self._descriptor)
