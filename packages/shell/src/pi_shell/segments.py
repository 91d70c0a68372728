"""Collects the segments of a word while it is scanned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.nodes import Quoted, Raw

if TYPE_CHECKING:
    from pi_shell.nodes import Segment
    from pi_shell.source import Source


class SegmentBuilder:
    """Joins neighbouring text of one kind into one segment, in linear time."""

    __slots__ = ("_end", "_kind", "_parts", "_segments", "_source", "_start")

    def __init__(self, source: Source) -> None:
        self._source = source
        self._segments: list[Segment] = []
        self._parts: list[str] = []
        self._kind: type[Raw | Quoted] = Raw
        self._start = self._end = 0

    def text(self, kind: type[Raw | Quoted], text: str, start: int, end: int) -> None:
        """`text` of one kind, written at `start:end`."""
        if self._parts and self._kind is not kind:
            self._flush()
        if not self._parts:
            self._kind, self._start = kind, start
        self._parts.append(text)
        self._end = end

    def add(self, segment: Segment) -> None:
        """A segment that is not text."""
        self._flush()
        self._segments.append(segment)

    def finish(self) -> tuple[Segment, ...]:
        """All segments, in order."""
        self._flush()
        return tuple(self._segments)

    def _flush(self) -> None:
        if self._parts:
            text = self._parts[0] if len(self._parts) == 1 else "".join(self._parts)
            self._segments.append(self._kind(text, self._source.span(self._start, self._end)))
            self._parts.clear()
