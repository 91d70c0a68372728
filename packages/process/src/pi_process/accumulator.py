"""A program's output in bounded memory: its beginning and its end as text, all of it in a private file when long."""

from __future__ import annotations

import io
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from pi_process.decoding import DecodePolicy, StreamDecoder
from pi_process.spill import SpillFile

KIB = 1024
SMALL = 4 * KIB


@dataclass(frozen=True, slots=True)
class Retained:
    """The text still in memory; `omitted` characters between `head` and `tail` are not."""

    head: str
    omitted: int
    tail: str

    @property
    def complete(self) -> bool:
        return self.omitted == 0

    def joined(self, gap: str = "\n…\n") -> str:
        """Both parts, with `gap` in place of what is missing."""
        return self.head + self.tail if self.complete else self.head + gap + self.tail


class OutputAccumulator:
    """Takes one stream's bytes; remembers its first and last characters, counts everything.

    Once there are more than `spill_over` bytes, all of them, from the first and exactly as they came, go to a file only
    this user can read, in `spill_dir` (the system's temporary folder by default). `spill_over=None` never writes one.
    A file that cannot be written is given up and `spill_error` says why; the text in memory is not affected.
    """

    def __init__(
        self,
        *,
        head_chars: int = 64 * KIB,
        tail_chars: int = 192 * KIB,
        spill_over: int | None = 256 * KIB,
        spill_dir: str | os.PathLike[str] | None = None,
        policy: DecodePolicy | None = None,
    ) -> None:
        self.total_bytes = 0
        self.total_chars = 0
        self._line_feeds = 0
        self._last = "\n"
        self._decoder = StreamDecoder(policy)
        self._head_room = head_chars
        self._head = io.StringIO()
        self._tail = _Tail(tail_chars)
        self._spill = SpillFile(spill_over, spill_dir) if spill_over is not None else None

    @property
    def total_lines(self) -> int:
        """Lines so far; one without its line feed counts."""
        return self._line_feeds + (self._last != "\n")

    @property
    def spill_path(self) -> Path | None:
        """The file that holds the exact output, or None while it fits or after a failure."""
        return self._spill.path if self._spill else None

    @property
    def spill_error(self) -> str | None:
        """Why there is no file although the output is long; None when all is well."""
        return self._spill.error if self._spill else None

    def append(self, data: bytes) -> str:
        """Take the next bytes; return the text they complete."""
        self.total_bytes += len(data)
        if self._spill:
            self._spill.write(data)
        return self._keep(self._decoder.feed(data))

    def finish(self) -> str:
        """The stream has ended: return the text held back, and have the file complete on disk."""
        text = self._keep(self._decoder.finish())
        if self._spill:
            self._spill.close()
        return text

    def retained(self) -> Retained:
        """Head and tail; together the whole text as long as it fits into both."""
        head, tail = self._head.getvalue(), self._tail.text()
        return Retained(head, self.total_chars - len(head) - len(tail), tail)

    def preview(self, max_lines: int = 20, max_chars: int = 4 * KIB) -> str:
        """The last lines so far, whole where they fit: for a live display. Both limits are positive."""
        text = self._tail.last(max_chars)
        if len(text) < max_chars:
            text = (self._head.getvalue() + text)[-max_chars:]
        return "".join(text.splitlines(keepends=True)[-max_lines:])

    def _keep(self, text: str) -> str:
        if text:
            self.total_chars += len(text)
            self._line_feeds += text.count("\n")
            self._last = text[-1]
            begin = text[: self._head_room]
            self._head.write(begin)
            self._head_room -= len(begin)
            self._tail.append(text[len(begin) :])
        return text


class _Tail:
    """The last `limit` characters of a growing text."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: deque[str] = deque()
        self._held = 0

    def append(self, text: str) -> None:
        if self._pieces and len(self._pieces[-1]) < SMALL:
            # Many tiny writes must not cost an object each.
            self._pieces[-1] += text
        elif text:
            self._pieces.append(text)
        self._held += len(text)
        while self._pieces and self._held - len(self._pieces[0]) >= self._limit:
            self._held -= len(self._pieces.popleft())

    def text(self) -> str:
        return self.last(self._limit)

    def last(self, count: int) -> str:
        count = min(count, self._limit)
        taken: list[str] = []
        for piece in reversed(self._pieces):
            if count <= 0:
                break
            taken.append(piece[-count:])
            count -= len(taken[-1])
        return "".join(reversed(taken))
