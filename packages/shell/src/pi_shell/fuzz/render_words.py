"""Writes words as source, in a random one of their spellings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.nodes import CommandSub, DoubleQuoted, Parameter, Quoted, Raw, Segment, Tilde, Word

if TYPE_CHECKING:
    from random import Random

    from pi_shell.fuzz.render import Renderer

NAME_CHARACTER = re.compile(r"[A-Za-z0-9_]")


class WordRenderer:
    """Writes words; the bodies of substitutions are written by `lists`."""

    def __init__(self, random: Random, lists: Renderer) -> None:
        self.random = random
        self.lists = lists

    def word(self, word: Word) -> str:
        """A word in an unquoted place."""
        return self._join(word.segments, quoted=False, escaped="")

    def clause(self, word: Word) -> str:
        """A clause of an arithmetic header: its text as it is, its expansions as in double quotes."""
        return "".join(
            segment.text if isinstance(segment, Quoted) else self._segment(segment, "", quoted=True, escaped="")
            for segment in word.segments
        )

    def _join(self, segments: tuple[Segment, ...], *, quoted: bool, escaped: str) -> str:
        text = ""
        for segment in reversed(segments):
            text = self._segment(segment, text[:1], quoted=quoted, escaped=escaped) + text
        return text

    def _segment(self, segment: Segment, following: str, *, quoted: bool, escaped: str) -> str:
        match segment:
            case Raw(text):
                return text
            case Tilde():
                return "~"
            case Quoted(text):
                return self._inside_quotes(text, escaped) if quoted else self._quoted(text)
            case DoubleQuoted(segments):
                return '"' + self._join(segments, quoted=True, escaped='"\\$`') + '"'
            case Parameter():
                return self._parameter(segment, following, quoted=quoted)
            case CommandSub(body):
                return self._substitution(self.lists.sequence(body))

    def _parameter(self, node: Parameter, following: str, *, quoted: bool) -> str:
        if node.operator == "#":
            return f"${{#{node.name}}}"
        if node.argument is not None:
            argument = self._join(node.argument.segments, quoted=quoted, escaped='"\\$`}')
            return f"${{{node.name}{node.operator}{argument}}}"
        if (node.name != "?" and NAME_CHARACTER.match(following)) or self.random.random() < 0.4:
            return f"${{{node.name}}}"
        return "$" + node.name

    def _substitution(self, body: str) -> str:
        if "`" in body or len(body) > 60 or self.random.random() < 0.7:
            space = " " if body.startswith("(") else ""
            end = "\n" if "#" in body else self.random.choice(("", " ", "\n"))
            return f"$({space}{body}{end})"
        return "`" + body.replace("\\", "\\\\") + "`"

    def _inside_quotes(self, text: str, escaped: str) -> str:
        written = "".join(f"\\{char}" if char in escaped else char for char in text)
        return written + ("\\\n" if self.random.random() < 0.05 else "")

    def _quoted(self, text: str) -> str:
        style = self.random.randrange(3)
        if style == 0 and "'" not in text:
            return f"'{text}'"
        if style == 1 and text and "\n" not in text:
            return "".join(f"\\{char}" for char in text)
        return "$'" + "".join(self._ansi_c(char) for char in text) + "'"

    def _ansi_c(self, char: str) -> str:
        if char in "'\\" or not char.isprintable():
            return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))
        return f"\\u{ord(char):04x}" if self.random.random() < 0.1 else char
