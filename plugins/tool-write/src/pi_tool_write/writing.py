"""Whether a file may be written, and with which bytes."""

import codecs
from dataclasses import dataclass
from pathlib import PurePath

from pi_api.tool import ToolError, ToolResult
from pi_api.truncate import format_size, split_lines
from pi_files import Place, ReadLedger
from pi_files.errors import NotAFile


class Unread(ToolError):
    """The file holds something that this session has not seen."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes for one session."""

    place: Place
    ledger: ReadLedger

    def write(self, path: PurePath, real: PurePath, content: str) -> ToolResult:
        """Create or replace the file `path`, which is `real`; the caller holds its lock. Raises `ToolError`."""
        shown = self.place.show(path)
        data = _encode(content, shown)
        found = self.place.operations.stat(real)
        if found is None:
            self.place.operations.create(real, data)
            return self._done(real, data, "created", f"Created {shown} ({_measure(content, data)}).")
        if found.kind != "file":
            kind = "a directory" if found.kind == "directory" else "no regular file"
            raise NotAFile(f"cannot write {shown}: it is {kind}; give the path of a file")
        before = self.place.operations.read(real)
        data, kept = keep_form(before, data)
        if before == data:
            return self._done(real, data, "unchanged", f"{shown} has this content already; nothing was written.")
        self._check_seen(real, before, shown)
        self.place.operations.replace(real, data)
        return self._done(real, data, "replaced", f"Replaced {shown} ({_measure(content, data)}).{kept}")

    def _check_seen(self, real: PurePath, before: bytes, shown: str) -> None:
        if not before or self.ledger.is_current(real, before):
            return
        if self.ledger.knows(real):
            raise Unread(f"{shown} has changed since you read it; read it again before you write it")
        raise Unread(f"{shown} exists and you have not read it; read it first, or change a part of it with edit")

    def _done(self, real: PurePath, data: bytes, outcome: str, text: str) -> ToolResult:
        self.ledger.record(real, data)
        return ToolResult.text(text, details={"outcome": outcome, "bytes": len(data)})


def keep_form(before: bytes, data: bytes) -> tuple[bytes, str]:
    """New content in the form of the old: its byte order mark, and CRLF where every line had it; and a word about it.

    `read` hides both from the model, so it cannot be meant to drop them.
    """
    kept = []
    if before.startswith(codecs.BOM_UTF8) and not data.startswith(codecs.BOM_UTF8):
        data = codecs.BOM_UTF8 + data
        kept.append("byte order mark")
    if b"\r\n" in before and before.count(b"\r\n") == before.count(b"\n") and b"\r\n" not in data and b"\n" in data:
        data = data.replace(b"\n", b"\r\n")
        kept.append("CRLF line endings")
    return data, f" Kept its {' and '.join(kept)}." if kept else ""


def _encode(content: str, shown: str) -> bytes:
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError(
            f"cannot write {shown}: character {error.start} of the content is half of a surrogate pair; "
            "write the whole character"
        ) from error


def _measure(content: str, data: bytes) -> str:
    lines = len(split_lines(content))
    return f"{lines} line{'' if lines == 1 else 's'}, {format_size(len(data))}"
