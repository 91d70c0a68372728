"""Server-sent events from bytes, whatever pieces the bytes come in (WHATWG HTML §9.2.6)."""

from collections.abc import Iterator
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"
MAX_LINE = 64 * 1024 * 1024


class LineTooLongError(Exception):
    """A line without an end: what comes is no event stream."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event: its name (`message` when none was given) and its data."""

    name: str
    data: str


class Decoder:
    """Feed it bytes, take events. An event that was not closed by an empty line does not count."""

    def __init__(self) -> None:
        self._partial: list[bytes] = []
        self._length = 0
        self._after_cr = False
        self._first = True
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[ServerEvent]:
        """The events that this piece completes; `LineTooLongError` when no line ends any more."""
        if self._after_cr and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        if not chunk:
            return
        self._after_cr = chunk.endswith(b"\r")
        *lines, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            event = self._line(self._completed(line))
            if event is not None:
                yield event
        self._keep(rest)

    def _keep(self, piece: bytes) -> None:
        self._partial.append(piece)
        self._length += len(piece)
        if self._length > MAX_LINE:
            raise LineTooLongError(f"a line of more than {MAX_LINE} bytes")

    def _completed(self, piece: bytes) -> bytes:
        line = b"".join((*self._partial, piece))
        self._partial, self._length = [], 0
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        return line

    def _line(self, line: bytes) -> ServerEvent | None:
        if not line:
            return self._dispatch()
        field, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None

    def _dispatch(self) -> ServerEvent | None:
        name, data = self._name, self._data
        self._name, self._data = "", []
        return ServerEvent(name or "message", "\n".join(data)) if data else None
