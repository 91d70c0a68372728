"""`${…}`: the supported forms, and a refusal for each other one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from pi_shell.nodes import Parameter, Quoted, Raw, Tilde, Word
from pi_shell.refusals import refuse
from pi_shell.segments import SegmentBuilder
from pi_shell.variables import made_by_bash

if TYPE_CHECKING:
    from pi_shell.nodes import ParameterOperator, Span
    from pi_shell.words import WordScanner

NAME = re.compile(r"[A-Za-z_](?:(?:\\\n)*[A-Za-z0-9_])*")
LENGTH = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)\}")
HEAD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\}|:[-=+?])")
SHOWN = re.compile(r"[^}\n]{0,40}\}?")
COLONLESS = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)([-=+?])")
ARGUMENT_PLAIN = re.compile(r"[^}\\'\"`$]+")
PROCESS = re.compile(r"[<>]\(")
TILDE = re.compile(r"(?:\\\n)*~(?:\\\n)*(?=[/}])")
TILDE_USER = re.compile(r"(?:\\\n)*~(?:\\\n)*(?::|[^/}\\'\"`$\s:]+)")


def check_variable(name: str, span: Span, text: str) -> None:
    """Refuses a variable whose value bash makes up itself: it would be empty here."""
    instead = made_by_bash(name)
    if instead is not None:
        raise refuse("parameter-expansion", "variable", span, text=text, instead=instead)


def braced_parameter(scanner: WordScanner, start: int, brace: int, *, quoted: bool) -> tuple[Parameter, int]:
    """The `${…}` whose `$` is at `start` and whose brace is at `brace`, and the position behind it."""
    text, source = scanner.text, scanner.source
    if text.startswith("?}", brace + 1):
        return Parameter("?", span=source.span(start, brace + 3)), brace + 3
    length = LENGTH.match(text, brace + 1)
    if length is not None:
        span = source.span(start, length.end())
        check_variable(length[1], span, text[brace - 1 : length.end()])
        return Parameter(length[1], "#", None, span), length.end()
    head = HEAD.match(text, brace + 1)
    if head is None:
        raise _unsupported(scanner, start, brace)
    check_variable(head[1], source.span(start, head.end()), "${" + head[1] + "}")
    if head[2] == "}":
        return Parameter(head[1], span=source.span(start, head.end())), head.end()
    source.nesting.enter(source.span(start, head.end()))
    argument, end = _Argument(scanner, start, head.end(), quoted=quoted).run()
    source.nesting.leave()
    return Parameter(head[1], cast("ParameterOperator", head[2]), argument, source.span(start, end)), end


def _unsupported(scanner: WordScanner, start: int, brace: int) -> Exception:
    text = scanner.text
    shown = SHOWN.match(text, brace + 1)
    end = shown.end() if shown is not None else brace + 1
    span = scanner.source.span(start, end)
    if end == len(text) and not text.endswith("}"):
        return scanner.unclosed("${…", start, "}")
    colonless = COLONLESS.match(text, brace + 1)
    written = "${" + text[brace + 1 : end]
    if colonless is not None:
        instead = "${" + colonless[1] + ":" + colonless[2] + "…}"
        return refuse("parameter-expansion", "colon", span, text=written, instead=instead)
    return refuse("parameter-expansion", span=span, text=written)


class _Argument:
    """The scan of the word in `${NAME:-word}`, up to its closing brace."""

    def __init__(self, scanner: WordScanner, opening: int, start: int, *, quoted: bool) -> None:
        self.scanner = scanner
        self.text = scanner.text
        self.opening = opening
        self.start = self.position = start
        self.quoted = quoted
        self.out = SegmentBuilder(scanner.source)

    def run(self) -> tuple[Word, int]:
        if not self.quoted:
            self._tilde()
        while True:
            match = ARGUMENT_PLAIN.match(self.text, self.position)
            if match is not None:
                self._plain(match)
            char = self.text[self.position : self.position + 1]
            if char == "}":
                word = Word(self.out.finish(), self.scanner.source.span(self.start, self.position))
                return word, self.position + 1
            if char == "":
                raise self.scanner.unclosed("${…", self.opening, "}")
            self._special(char)

    def _plain(self, match: re.Match[str]) -> None:
        process = None if self.quoted else PROCESS.search(self.text, match.start(), match.end())
        if process is not None:
            span = self.scanner.source.span(*process.span())
            raise refuse("process-substitution", span=span, text=process[0])
        self.out.text(Quoted if self.quoted else Raw, match[0], match.start(), match.end())
        self.position = match.end()

    def _special(self, char: str) -> None:
        position, scanner = self.position, self.scanner
        if char == '"':
            inner, self.position = scanner.double_quoted(position)
            self.out.add(inner)
        elif char == "'":
            self._single_quote()
        elif char == "\\" and not self.quoted:
            self._escape()
        elif char == "\\":
            self.position = scanner.quoted_special(char, position, self.out, '"\\$`}')
        else:
            self.position = scanner.expansion(char, position, self.out, quoted=self.quoted)

    def _single_quote(self) -> None:
        """Outside double quotes `'…'` quotes; inside them it only hides a `}` and stays in the text."""
        start = self.position
        text, self.position = self.scanner.single_quoted(start)
        if not self.quoted:
            self.out.text(Quoted, text, start, self.position)
            return
        if any(char in text for char in '"\\`$'):
            raise refuse("malformed-syntax", "parameter-quote", self.scanner.source.span(start, self.position))
        self.out.text(Quoted, f"'{text}'", start, self.position)

    def _escape(self) -> None:
        position = self.position
        after = self.text[position + 1 : position + 2]
        if after == "":
            raise self.scanner.unclosed("${…", self.opening, "}")
        self.position += 2
        if after != "\n":
            self.out.text(Quoted, after, position, position + 2)

    def _tilde(self) -> None:
        span = self.scanner.source.span
        if tilde := TILDE.match(self.text, self.position):
            self.position = tilde.end()
            self.out.add(Tilde(span(*tilde.span())))
        elif user := TILDE_USER.match(self.text, self.position):
            raise refuse("tilde-user", span=span(*user.span()), text=user[0])
