"""Scans one word into its segments: quoting, escapes, tildes, and the Windows path rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pi_shell.braces import BraceDetector
from pi_shell.expansions import backticks, dollar
from pi_shell.nodes import DoubleQuoted, Quoted, Raw, Tilde, Word
from pi_shell.refusals import refuse
from pi_shell.segments import SegmentBuilder

if TYPE_CHECKING:
    from pi_shell.source import Source

STOPS = frozenset(" \t\n|&;()<>")
EXTENDED = frozenset("?*+@!")
EASY = re.compile(r"[\w./:,+%@^*?!\[\]#-]++(?=[ \t\n|&;)<>]|\Z)")
PLAIN = re.compile(r"[^ \t\n|&;()<>\\'\"`$]+")
VALUE_PART = re.compile(r"[^ \t\n|&;()<>\\'\"`$:]*:|[^ \t\n|&;()<>\\'\"`$:]+")
WINDOWS_PLAIN = re.compile(r"[^ \t\n|&;()<>'\"`$]+")
DOUBLE_PLAIN = re.compile(r"[^\"\\`$]+")
NAME_EQUALS = re.compile(r"[A-Za-z_](?:(?:\\\n)*[A-Za-z0-9_])*(?:\\\n)*=")
TILDE = re.compile(r"(?:\\\n)*~(?:\\\n)*([^/\\'\"`$ \t\n|&;()<>]*)")
VALUE_TILDE = re.compile(r"(?:\\\n)*~(?:\\\n)*([^/:\\'\"`$ \t\n|&;()<>]*)")
WINDOWS_PATH = re.compile(r"[\"']?(?:[A-Za-z]:|\\\\[\w?.$-])|~\\")
WINDOWS_VALUE = re.compile(r"[\"']?(?:[A-Za-z]:[\\/]|\\\\[\w?.$-]{1,255}\\)")


class Scanned(NamedTuple):
    """A word, the position behind it, and the range of a brace expansion in it (which an assignment may carry)."""

    word: Word
    end: int
    braces: tuple[int, int] | None


class WordScanner:
    """Scans words of one source."""

    __slots__ = ("source", "text")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text

    def scan(self, start: int) -> Scanned:
        """The word at `start`, which is not a blank or an operator. Raises a `Refusal`."""
        easy = EASY.match(self.text, start)
        if easy is not None:
            span = self.source.span(start, easy.end())
            return Scanned(Word((Raw(easy[0], span),), span), easy.end(), None)
        return _WordScan(self, start).run()

    def single_quoted(self, start: int) -> tuple[str, int]:
        """The text of the `'…'` at `start` and the position behind it."""
        end = self.text.find("'", start + 1)
        if end < 0:
            raise self.unclosed("'…", start, "'")
        return self.text[start + 1 : end], end + 1

    def double_quoted(self, start: int) -> tuple[DoubleQuoted, int]:
        """The `"…"` whose opening quote is at `start` and the position behind it."""
        out = SegmentBuilder(self.source)
        position = start + 1
        while True:
            plain = DOUBLE_PLAIN.match(self.text, position)
            if plain is not None:
                out.text(Quoted, plain[0], position, plain.end())
                position = plain.end()
            char = self.text[position : position + 1]
            if char == '"':
                return DoubleQuoted(out.finish(), self.source.span(start, position + 1)), position + 1
            if char == "":
                raise self.unclosed('"…', start, '"')
            position = self.quoted_special(char, position, out)

    def quoted_special(self, char: str, position: int, out: SegmentBuilder, escapable: str = '"\\$`') -> int:
        """The backslash, dollar or backtick at `position`, as double quotes read it; the position behind it."""
        if char == "\\":
            return self._quoted_escape(position, out, escapable)
        return self.expansion(char, position, out, quoted=True)

    def _quoted_escape(self, position: int, out: SegmentBuilder, escapable: str) -> int:
        after = self.text[position + 1 : position + 2]
        if after == "\n":
            return position + 2
        if after and after in escapable:
            out.text(Quoted, after, position, position + 2)
            return position + 2
        out.text(Quoted, "\\", position, position + 1)
        return position + 1

    def expansion(self, char: str, position: int, out: SegmentBuilder, *, quoted: bool) -> int:
        """The `$…` or backticks at `position`; a `$` that starts nothing is text."""
        if char == "`":
            substitution, end = backticks(self, position, quoted=quoted)
            out.add(substitution)
            return end
        segment, end = dollar(self, position, quoted=quoted)
        if segment is None:
            out.text(Quoted if quoted else Raw, "$", position, position + 1)
        elif isinstance(segment, Quoted):
            out.text(Quoted, segment.text, position, end)
        else:
            out.add(segment)
        return end

    def unclosed(self, text: str, start: int, missing: str) -> Exception:
        """The refusal for something that opens at `start` and is never closed."""
        span = self.source.span(start, len(self.text))
        return refuse("malformed-syntax", "unclosed", span, text=text, instead=missing)


class _WordScan:
    """The scan of one unquoted word."""

    def __init__(self, scanner: WordScanner, start: int) -> None:
        self.scanner = scanner
        self.source = scanner.source
        self.text = scanner.text
        self.start = self.position = self.path_start = start
        self.out = SegmentBuilder(scanner.source)
        self.braces = BraceDetector(scanner.text)
        self.plain = PLAIN
        self.raw_end = -1

    def run(self) -> Scanned:
        text = self.text
        assigned = NAME_EQUALS.match(text, self.start)
        if assigned is not None:
            self.out.text(Raw, assigned[0].replace("\\\n", ""), self.start, assigned.end())
            self.position = self.path_start = self.raw_end = assigned.end()
            self.plain = VALUE_PART
        self._tilde()
        while self.position < len(text):
            plain = self.plain.match(text, self.position)
            if plain is not None:
                self._raw(plain)
                continue
            char = text[self.position]
            if char in STOPS:
                self._stop(char)
                break
            self._special(char)
        return self._finish()

    def _finish(self) -> Scanned:
        segments = self.out.finish()
        word = Word(segments, self.source.span(self.start, self.position))
        return Scanned(word, self.position, self.braces.found)

    def _raw(self, match: re.Match[str]) -> None:
        chunk, start, end = match[0], match.start(), match.end()
        self.out.text(Raw, chunk, start, end)
        self.braces.feed(start, end)
        self.position = self.raw_end = end
        if self.plain is VALUE_PART:
            if chunk[-1] == ":":
                self._tilde()
        elif "=" in chunk:
            self.path_start = start + chunk.rfind("=") + 1

    def _special(self, char: str) -> None:
        position = self.position
        if char == "\\":
            self._escape()
        elif char == "'":
            text, self.position = self.scanner.single_quoted(position)
            self.out.text(Quoted, text, position, self.position)
        elif char == '"':
            quoted, self.position = self.scanner.double_quoted(position)
            self.out.add(quoted)
        else:
            self.position = self.scanner.expansion(char, position, self.out, quoted=False)

    def _escape(self) -> None:
        position = self.position
        if self.source.windows_paths and self._in_windows_path():
            self.plain = WINDOWS_PLAIN
            return
        after = self.text[position + 1 : position + 2]
        if after == "":
            self.out.text(Quoted, "\\", position, position + 1)
        elif after != "\n":
            self.out.text(Quoted, after, position, position + 2)
        self.position += 1 + len(after)

    def _in_windows_path(self) -> bool:
        at_start = self.path_start == self.start or self.plain is VALUE_PART
        pattern = WINDOWS_PATH if at_start else WINDOWS_VALUE
        return pattern.match(self.text, self.path_start) is not None

    def _tilde(self) -> None:
        start = self.position
        match = (VALUE_TILDE if self.plain is VALUE_PART else TILDE).match(self.text, start)
        if match is None:
            return
        name, end = match[1], match.end()
        after = self.text[end : end + 1]
        windows = after == "\\" and self.source.windows_paths
        literal = after != "" and after in "\\'\"`$" and not windows and not self.text.startswith("\\\n", end)
        if literal and not name.startswith(":"):
            return
        if name:
            raise refuse("tilde-user", span=self.source.span(start, end), text="~" + name)
        self.position = match.end()
        self.out.add(Tilde(self.source.span(start, end)))

    def _stop(self, char: str) -> None:
        position = self.position
        if char == "(" and self.raw_end == position and self.text[position - 1] in EXTENDED:
            span = self.source.span(position - 1, position + 1)
            case = "not" if self.text[position - 1] == "!" else ""
            raise refuse("extended-glob", case, span, text=self.text[position - 1 : position + 1])
