"""Turns a source into tokens: words, operators, redirections, newlines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from pi_shell.nodes import NOWHERE, Raw, Span, Word
from pi_shell.refusals import refuse
from pi_shell.words import WordScanner

if TYPE_CHECKING:
    from collections.abc import Callable

    from pi_shell.refusals import Refusal
    from pi_shell.source import Source


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    OPERATOR = auto()
    REDIRECT = auto()
    NEWLINE = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `text` is the operator, or a word's text when it is unquoted and plain (it may be a reserved word).

    `start` and `end` are positions in the text being read (`span` is in the user's source). `word` is set for words,
    `braces` is the refusal to raise where the braces in it expand, `fd` is the number before a redirection.
    """

    kind: Kind
    text: str
    start: int
    end: int
    span: Span
    word: Word = Word((), NOWHERE)  # noqa: RUF009 - an immutable value
    braces: Refusal | None = None
    fd: int | None = None


def _operators(*texts: str) -> str:
    """A pattern for the operators, the longest first, each of which line continuations may interrupt."""
    ordered = sorted(texts, key=len, reverse=True)
    return "|".join(r"(?:\\\n)*".join(re.escape(char) for char in text) for text in ordered)


BLANKS = re.compile(r"(?:[ \t]|\\\n)*+")
OPERATOR = re.compile(_operators("&&", "||", "|&", ";;&", ";;", ";&", "|", "&", ";", "(", ")"))
REDIRECT = re.compile(
    r"(?P<fd>(?:[0-9](?:\\\n)*+)*+)(?P<operator>"
    + _operators("&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<(", "<", ">>", ">&", ">|", ">(", ">")
    + ")"
)
FD_VARIABLE = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")


class Lexer:
    """Reads tokens one after the other from `position` on."""

    def __init__(self, source: Source, position: int) -> None:
        self.source = source
        self.text = source.text
        self.position = position
        self.words = WordScanner(source)
        self.at_newline: list[Callable[[Lexer], None]] = []
        """Called, and cleared, at the next newline: where an extension reads the bodies of here-documents."""

    def next(self) -> Token:
        """The next token. Raises a `Refusal`."""
        text = self.text
        start = self._skip_blanks()
        char = text[start : start + 1]
        if char == "":
            return self._token(Kind.END, "", start, start)
        if char == "\n":
            return self._newline(start)
        if char in "<>&0123456789":
            redirect = REDIRECT.match(text, start)
            if redirect is not None and not (redirect["fd"] and redirect["operator"].startswith("&")):
                return self._redirect(redirect)
        operator = OPERATOR.match(text, start)
        if operator is not None:
            return self._token(Kind.OPERATOR, operator[0].replace("\\\n", ""), start, operator.end())
        return self._word(start)

    def _skip_blanks(self) -> int:
        match = BLANKS.match(self.text, self.position)
        position = match.end() if match is not None else self.position
        if self.text.startswith("#", position):
            newline = self.text.find("\n", position)
            position = newline if newline >= 0 else len(self.text)
        return position

    def _token(self, kind: Kind, text: str, start: int, end: int, fd: int | None = None) -> Token:
        self.position = end
        return Token(kind, text, start, end, self.source.span(start, end), fd=fd)

    def _newline(self, start: int) -> Token:
        token = self._token(Kind.NEWLINE, "\n", start, start + 1)
        pending, self.at_newline = self.at_newline, []
        for read in pending:
            read(self)
        return token

    def _redirect(self, match: re.Match[str]) -> Token:
        operator = match["operator"].replace("\\\n", "")
        digits = match["fd"].replace("\\\n", "")
        fd = int(digits[:9]) if digits else None
        return self._token(Kind.REDIRECT, operator, match.start(), match.end(), fd)

    def _word(self, start: int) -> Token:
        word, end, braces = self.words.scan(start)
        self.position = end
        segments = word.segments
        text = segments[0].text if len(segments) == 1 and isinstance(segments[0], Raw) else ""
        if self.text[end : end + 1] in ("<", ">") and FD_VARIABLE.fullmatch(text):
            raise refuse("malformed-syntax", "variable-descriptor", word.span, text=text)
        refusal = None
        if braces is not None:
            refusal = refuse("brace-expansion", span=self.source.span(*braces), text=self.text[slice(*braces)])
        return Token(Kind.WORD, text, start, end, word.span, word, refusal)
