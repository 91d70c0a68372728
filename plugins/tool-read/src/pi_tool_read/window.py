"""The lines of a text that one call shows, and the notices under them."""

from dataclasses import dataclass

from pi_api.tool import ToolError, ToolResult
from pi_api.truncate import first_bytes, format_size, notice, size_of, split_lines, truncate_head
from pi_files.decoding import Decoded

_BEGINNING = 4 * 1024
"""Bytes shown of a first line that is longer than the whole limit."""


@dataclass(frozen=True, slots=True)
class Window:
    """Lines picked by `offset` and `limit`, before the limits of a result are applied.

    `first` is the number of the first line, `more` whether lines follow those picked, `total` how many lines there are
    in words. `notes` tell what the lines do not.
    """

    lines: list[str]
    first: int
    more: bool
    total: str
    notes: tuple[str, ...] = ()


def lines_window(decoded: Decoded, shown: str, offset: int, limit: int | None) -> Window:
    """Pick lines of a whole text. Raises `ToolError` when `offset` lies behind its end."""
    text = decoded.text
    notes = tuple(filter(None, (decoded.encoding.note, line_ending_note(text))))
    lines = split_lines(text.replace("\r\n", "\n"))
    if offset > max(len(lines), 1):
        raise past_the_end(shown, offset, len(lines))
    end = len(lines) if limit is None else offset - 1 + limit
    return Window(lines[offset - 1 : end], offset, end < len(lines), str(len(lines)), notes)


def show_window(window: Window) -> ToolResult:
    """The lines within the limits of a result, what follows them, and the notes."""
    cut = truncate_head("\n".join(window.lines))
    notes = [f"[{note[0].upper()}{note[1:]}.]" for note in window.notes]
    text, following = cut.content, window.first + cut.output_lines
    if cut.first_line_exceeds_limit:
        line = window.lines[0]
        text = first_bytes(line, _BEGINNING)
        shown = format_size(size_of(text))
        further = f", or go on with offset={following + 1}" if window.more or len(window.lines) > 1 else ""
        remedy = f"Only its first {shown} are shown; search it with grep{further}."
        notes.append(notice(cut, remedy, window.first))
    elif cut.truncated:
        notes.append(notice(cut, f"Go on with offset={following}.", window.first, window.total))
    elif window.more:
        notes.append(f"[Lines {window.first}-{following - 1} of {window.total} shown. Go on with offset={following}.]")
    elif not window.lines:
        notes.append("[The file is empty.]")
    details = {"truncation": cut.details} if cut.truncated else None
    return ToolResult.text("\n\n".join(filter(None, [text, "\n".join(notes)])), details=details)


def line_ending_note(text: str) -> str:
    """What is hidden by showing every line ending as LF; empty when nothing is."""
    windows = text.count("\r\n")
    if not windows:
        return ""
    kind = "has CRLF" if windows == text.count("\n") else "mixes CRLF and LF"
    return f"the file {kind} line endings"


def past_the_end(shown: str, offset: int, lines: int) -> ToolError:
    """The error for an offset behind the last line."""
    return ToolError(
        f"offset {offset} is past the end of {shown}, which has {lines} lines; use an offset up to {lines}"
    )
