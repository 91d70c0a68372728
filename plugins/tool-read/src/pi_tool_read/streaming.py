"""Parts of files too large to be held in memory."""

import io
from collections.abc import Callable
from typing import BinaryIO

from pi_api.truncate import MAX_BYTES, MAX_LINES, format_size
from pi_files.decoding import SAMPLE, BinaryContent, Encoding, sniff

from pi_tool_read.window import Window, line_ending_note, past_the_end

_PIECE = 1 << 20
_CHECK_EVERY = 4096


def stream_window(
    file: BinaryIO, shown: str, size: int, offset: int, limit: int | None, check: Callable[[], None]
) -> Window:
    """Pick lines by passing over those before them; the lines behind them are not read, so their number is unknown.

    `check` may raise to stop. Raises `ToolError` for binary data and for an offset behind the end.
    """
    sample = file.read(SAMPLE)
    encoding = sniff(sample, complete=False)
    if encoding is None:
        raise BinaryContent(f"{shown} is binary, not text; use a program that knows its format")
    file.seek(len(encoding.mark))
    # Only "\n" ends a line here, and damage further on must not stop the reading.
    text = io.TextIOWrapper(file, encoding.codec, "replace", newline="\n")
    passed = _pass_over(text, offset - 1, check)
    wanted = min(limit or MAX_LINES, MAX_LINES) + 1
    lines: list[str] = []
    used = 0
    while len(lines) < wanted and used <= MAX_BYTES and (line := _line(text, MAX_BYTES + 1)):
        lines.append(line[:-2] if line.endswith("\r\n") else line.removesuffix("\n"))
        used += len(line)
    if not lines:
        raise past_the_end(shown, offset, passed)
    more = len(lines) > (limit or wanted) or bool(_line(text, 0))
    notes = tuple(filter(None, (encoding.note, line_ending_note(_beginning(sample, encoding)))))
    return Window(lines[:limit], offset, more, f"a file of {format_size(size)}", notes)


def _pass_over(text: io.TextIOWrapper, count: int, check: Callable[[], None]) -> int:
    """Skip up to `count` lines; how many there were."""
    for number in range(count):
        if number % _CHECK_EVERY == 0:
            check()
        if not _line(text, 0):
            return number
    return count


def _line(text: io.TextIOWrapper, keep: int) -> str:
    """The next line, of which about `keep` characters are kept however long it is; empty at the end."""
    piece = text.readline(_PIECE)
    line = piece[: max(keep, 1)] if len(piece) > keep else piece
    while piece and not piece.endswith("\n"):
        piece = text.readline(_PIECE)
    return line


def _beginning(sample: bytes, encoding: Encoding) -> str:
    return sample[len(encoding.mark) :].decode(encoding.codec, "replace")
