"""Lists, pipelines and simple commands; compound commands and redirections come from the grammar's registry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.core_forms import CORE
from pi_shell.lexer import Kind, Lexer
from pi_shell.nodes import AndOr, List, Pipeline, Span
from pi_shell.refusals import refuse
from pi_shell.simple_commands import simple_command
from pi_shell.source import Source

if TYPE_CHECKING:
    from pi_shell.grammar import Grammar
    from pi_shell.lexer import Token
    from pi_shell.nodes import ChainOperator, Command, Redirection

IMPOSSIBLE = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")
"""What no command can carry: NUL, and surrogates that do not stand for a byte."""

NOTHING: frozenset[str] = frozenset()


def parse(source: str, *, windows_paths: bool = False, grammar: Grammar = CORE) -> List:
    """The tree of a command line.

    `windows_paths` keeps the backslashes of unquoted words that start like `C:\\` or `\\\\server`. Raises `Refusal` for
    everything outside the grammar, and nothing else; takes time linear in the length of `source`.
    """
    impossible = IMPOSSIBLE.search(source)
    if impossible is not None:
        raise refuse("malformed-syntax", "null" if impossible[0] == "\0" else "surrogate", Span(*impossible.span()))
    text = Source(source, range(len(source) + 1), grammar, parse_body, windows_paths)
    return parse_body(text, 0, "", 0)[0]


def parse_body(source: Source, position: int, closer: str, opening: int) -> tuple[List, int]:
    """The list from `position` to `closer` (`""`: the end) and the position behind it; `opening` is what it closes."""
    parser = Parser(source, position)
    body = parser.command_list(NOTHING)
    token = parser.token
    if token.text != closer or token.kind is Kind.WORD:
        if token.kind is Kind.END:
            span = source.span(opening, token.end)
            raise refuse("malformed-syntax", "unclosed", span, text="$(…", instead=closer)
        raise parser.unexpected()
    return body, token.end


class Parser:
    """Recursive descent over one text; `token` is the one it stands at."""

    def __init__(self, source: Source, position: int) -> None:
        self.source = source
        self.grammar = source.grammar
        self.lexer = Lexer(source, position)
        self.token: Token = self.lexer.next()

    def advance(self) -> Token:
        """Steps behind the current token and returns it."""
        token = self.token
        self.token = self.lexer.next()
        return token

    def command_list(self, until: frozenset[str]) -> List:
        """Commands up to the end of the text, a `)`, or one of the reserved words or operators in `until`."""
        start = self.token.start
        end = start
        items: list[AndOr] = []
        self.skip_newlines()
        while not self._at_end(until):
            item = self._and_or()
            items.append(item)
            end = self.token.start
            if not self._separator():
                break
        return List(tuple(items), self.source.span(start, end))

    def body(self, until: frozenset[str], opening: Token) -> List:
        """The list inside a compound command: like `command_list`, but it may not be empty."""
        body = self.command_list(until)
        if not body.items and self.token.kind is not Kind.END:
            raise refuse("malformed-syntax", "element", self.token.span, text=f"before {self.token.text}")
        if self.token.kind is Kind.END:
            span = Span(opening.span.start, self.token.span.end)
            missing = f"; {min(until)}" if until else ")"
            raise refuse("malformed-syntax", "unclosed", span, text=opening.text, instead=missing)
        return body

    def skip_newlines(self) -> None:
        """Steps over newlines."""
        while self.token.kind is Kind.NEWLINE:
            self.advance()

    def at_operator(self, text: str) -> bool:
        """Whether the parser stands at this operator."""
        return self.token.kind is Kind.OPERATOR and self.token.text == text

    def at_word(self, text: str) -> bool:
        """Whether the parser stands at this unquoted word."""
        return self.token.kind is Kind.WORD and self.token.text == text

    def unexpected(self) -> Exception:
        """The refusal for the current token, which nothing can stand before."""
        text, span = self.token.text, self.token.span
        if self.token.kind is Kind.WORD:
            if text in self.grammar.closers:
                return refuse("malformed-syntax", "reserved", span, text=text)
            text = self.source.text[self.token.start : self.token.end]
        if self.at_operator("|&"):
            return refuse("malformed-syntax", "pipe-both", span)
        if self.at_operator("&"):
            return refuse("job-control", "background", span)
        return refuse("malformed-syntax", "unexpected", span, text=text)

    def redirects(self) -> tuple[Redirection, ...]:
        """The redirections behind a compound command."""
        found: list[Redirection] = []
        while self.token.kind is Kind.REDIRECT:
            found += self.redirect()
        return tuple(found)

    def redirect(self) -> tuple[Redirection, ...]:
        """The redirection whose operator the parser stands at."""
        form = self.grammar.redirects.get(self.token.text)
        if form is None:
            raise self.unexpected()
        return form(self)

    def nested(self, opening: Token) -> None:
        """Counts one more level of nesting; `unnested` undoes it."""
        self.source.nesting.enter(opening.span)

    def unnested(self) -> None:
        """Ends a level of nesting."""
        self.source.nesting.leave()

    def _at_end(self, until: frozenset[str]) -> bool:
        return self.token.kind is Kind.END or self.token.text in until or self.at_operator(")")

    def _separator(self) -> bool:
        if self.token.kind is Kind.NEWLINE:
            self.skip_newlines()
            return True
        if self.at_operator("&"):
            raise self.unexpected()
        if not self.at_operator(";"):
            return False
        self.advance()
        self.skip_newlines()
        return True

    def _and_or(self) -> AndOr:
        start = self.token.span.start
        pipelines = [self._pipeline()]
        operators: list[ChainOperator] = []
        while self.token.kind is Kind.OPERATOR and self.token.text in ("&&", "||"):
            operators.append("&&" if self.advance().text == "&&" else "||")
            self.skip_newlines()
            pipelines.append(self._pipeline())
        return AndOr(tuple(pipelines), tuple(operators), Span(start, pipelines[-1].span.end))

    def _pipeline(self) -> Pipeline:
        start = self.token.span.start
        negated = False
        while self.at_word("!"):
            self.advance()
            negated = not negated
        commands = [self._command()]
        while self.at_operator("|"):
            self.advance()
            self.skip_newlines()
            commands.append(self._command())
        return Pipeline(tuple(commands), negated, Span(start, commands[-1].span.end))

    def _command(self) -> Command:
        token = self.token
        if token.kind is Kind.OPERATOR or token.kind is Kind.WORD:
            form = self.grammar.compounds.get(token.text)
            if form is not None:
                self.nested(token)
                command = form(self)
                self.unnested()
                return command
            if token.kind is Kind.OPERATOR or token.text in self.grammar.closers:
                raise self._missing_command() if token.kind is Kind.OPERATOR else self.unexpected()
            if token.text == "!":
                raise refuse("malformed-syntax", "unexpected", token.span, text="!")
        elif token.kind is not Kind.REDIRECT:
            raise self._missing_command()
        return simple_command(self)

    def _missing_command(self) -> Exception:
        where = {Kind.END: "at the end", Kind.NEWLINE: "at the end of the line"}
        if self.at_operator("&") or self.at_operator("|&"):
            return self.unexpected()
        text = where.get(self.token.kind, f"before {self.token.text}")
        return refuse("malformed-syntax", "element", self.token.span, text=text)
