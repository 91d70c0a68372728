"""Cutting text to what a model should be shown: whole lines, within a number of lines and of UTF-8 bytes.

Lines end with "\\n"; a trailing one counts neither as a line nor as a byte. Every cut is told in a `Truncation`, and
`notice` puts it into words.
"""

from dataclasses import dataclass
from typing import Literal

from pi_api.codec import Record

MAX_LINES = 2000
MAX_BYTES = 50 * 1024
MAX_LINE_CHARS = 500


@dataclass(frozen=True, slots=True)
class Truncation(Record):
    """What is left of a text and what was there.

    `total_*` describe the text given, `output_*` the `content` kept, both without a trailing newline when cut.
    `truncated_by` is the limit that was hit first. `last_line_partial`: the only line kept is the end of a longer one.
    `first_line_exceeds_limit`: nothing is kept because the first line alone is too long.
    """

    content: str
    truncated: bool
    truncated_by: Literal["lines", "bytes"] | None
    total_lines: int
    total_bytes: int
    output_lines: int
    output_bytes: int
    last_line_partial: bool
    first_line_exceeds_limit: bool
    max_lines: int
    max_bytes: int

    @property
    def details(self) -> dict[str, object]:
        """The record as JSON without its content, for a result that shows the content already."""
        return {key: value for key, value in self.to_json().items() if key != "content"}


def truncate_head(text: str, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> Truncation:
    """Keep the first whole lines that fit."""
    if whole := _untouched(text, max_lines, max_bytes):
        return whole
    lines = split_lines(text)
    kept, by = _fitting(lines, max_lines, max_bytes)
    too_long = not kept and max_lines > 0
    return _cut(text, "\n".join(lines[:kept]), kept, by, max_lines, max_bytes, first_line_exceeds_limit=too_long)


def truncate_tail(text: str, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> Truncation:
    """Keep the last whole lines that fit, or the end of the last line when even that is too long."""
    if whole := _untouched(text, max_lines, max_bytes):
        return whole
    lines = split_lines(text)
    kept, by = _fitting(lines[::-1], max_lines, max_bytes)
    if kept or max_lines < 1:
        return _cut(text, "\n".join(lines[len(lines) - kept :]), kept, by, max_lines, max_bytes)
    end = last_bytes(lines[-1], max_bytes)
    return _cut(text, end, int(bool(end)), "bytes", max_lines, max_bytes, last_line_partial=bool(end))


def truncate_middle(
    text: str, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES, head_share: float = 0.75
) -> Truncation:
    """Keep the beginning and the end, with one line between them that says what was left out.

    The marker counts towards the limits. Where a whole line of either side does not fit, the head alone is kept, and
    the tail when the head would be empty.
    """
    if whole := _untouched(text, max_lines, max_bytes):
        return whole
    lines = split_lines(text)
    longest = max(len(_marker(len(lines), size)) for size in (size_of(text), 1024**2 - 1))
    room_lines, room_bytes = max_lines - 1, max_bytes - longest - 2
    head_lines, head_bytes = int(room_lines * head_share), int(room_bytes * head_share)
    head, by = _fitting(lines, head_lines, head_bytes)
    tail, tail_by = _fitting(lines[: head - len(lines) - 1 : -1], room_lines - head_lines, room_bytes - head_bytes)
    if not head or not tail:
        result = truncate_head(text, max_lines, max_bytes)
        return truncate_tail(text, max_lines, max_bytes) if result.first_line_exceeds_limit else result
    omitted = lines[head : len(lines) - tail]
    marker = _marker(len(omitted), size_of("\n".join(omitted)))
    content = "\n".join([*lines[:head], marker, *lines[len(lines) - tail :]])
    limit: Literal["lines", "bytes"] = "bytes" if "bytes" in (by, tail_by) else "lines"
    return _cut(text, content, head + tail + 1, limit, max_lines, max_bytes)


def truncate_line(line: str, max_chars: int = MAX_LINE_CHARS, focus: int = 0) -> str:
    """A line of at most about `max_chars` characters around the character `focus`, ellipses where it was cut."""
    if len(line) <= max_chars:
        return line
    start = 0 if focus < max_chars else min(focus - max_chars // 2, len(line) - max_chars)
    end = start + max_chars
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def notice(cut: Truncation, remedy: str, first_line: int = 1, total_lines: str = "") -> str:
    """The bracketed line that goes under cut text: the lines shown, of how many, why, and what to do.

    `first_line` is the number of the first line shown, `total_lines` how many there are when that is not what was cut.
    """
    limit = f"{cut.max_lines} lines" if cut.truncated_by == "lines" else format_size(cut.max_bytes)
    total = total_lines or str(cut.total_lines)
    if cut.first_line_exceeds_limit:
        return f"[Line {first_line} alone is longer than the limit of {limit}. {remedy}]"
    if cut.last_line_partial:
        return f"[Only the last {format_size(cut.output_bytes)} of line {total} shown, limit {limit}. {remedy}]"
    last_line = first_line + cut.output_lines - 1
    return f"[Lines {first_line}-{last_line} of {total} shown, limit {limit}. {remedy}]"


def format_size(size: int) -> str:
    """Bytes for people: `640 B`, `50 KiB`, `1.5 MiB`."""
    if size < 1024:
        return f"{size} B"
    value, unit = (size / 1024, "KiB") if size < 1024**2 else (size / 1024**2, "MiB")
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


def size_of(text: str) -> int:
    """Bytes of a text in UTF-8; a lone surrogate counts three, as if it could be encoded."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def first_bytes(text: str, max_bytes: int) -> str:
    """The longest beginning of at most `max_bytes` bytes that ends between two characters."""
    data = text[: max(max_bytes, 0)].encode("utf-8", "surrogatepass")
    end = min(max(max_bytes, 0), len(data))
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def last_bytes(text: str, max_bytes: int) -> str:
    """The longest end of at most `max_bytes` bytes that starts at a character."""
    if max_bytes <= 0:
        return ""
    data = text[-max_bytes:].encode("utf-8", "surrogatepass")[-max_bytes:]
    start = 0
    while start < len(data) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:].decode("utf-8", "surrogatepass")


def split_lines(text: str) -> list[str]:
    """The lines of a text without their "\\n"; none of an empty text."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _fitting(lines: list[str], max_lines: int, max_bytes: int) -> tuple[int, Literal["lines", "bytes"]]:
    """How many lines fit from the first on, and which limit stops the next one."""
    used = -1
    for index, line in enumerate(lines[: max(max_lines, 0)]):
        used += size_of(line) + 1
        if used > max_bytes:
            return index, "bytes"
    return min(max(max_lines, 0), len(lines)), "lines"


def _untouched(text: str, max_lines: int, max_bytes: int) -> Truncation | None:
    size = size_of(text)
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    if lines > max_lines or size - text.endswith("\n") > max_bytes:
        return None
    return Truncation(text, False, None, lines, size, lines, size, False, False, max_lines, max_bytes)


def _cut(
    text: str,
    content: str,
    lines: int,
    by: Literal["lines", "bytes"],
    max_lines: int,
    max_bytes: int,
    *,
    last_line_partial: bool = False,
    first_line_exceeds_limit: bool = False,
) -> Truncation:
    total = text.count("\n") + (not text.endswith("\n"))
    return Truncation(
        content, True, by, total, size_of(text), lines, size_of(content),
        last_line_partial, first_line_exceeds_limit, max_lines, max_bytes,
    )  # fmt: skip


def _marker(lines: int, size: int) -> str:
    return f"[... {lines} lines, {format_size(size)} left out ...]"
