"""Simple commands: assignments, words and redirections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.command_words import refuse_command, runs_another_command
from pi_shell.constants import constant
from pi_shell.lexer import Kind
from pi_shell.nodes import Assignment, Raw, Simple, Span, Word
from pi_shell.refusals import refuse

if TYPE_CHECKING:
    from pi_shell.lexer import Token
    from pi_shell.nodes import Redirection
    from pi_shell.parser import Parser

ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
APPEND_OR_ELEMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+=|\[)")


def simple_command(parser: Parser) -> Simple:
    """The simple command at which the parser stands: at a word or a redirection."""
    start = end = parser.token.span.start
    assignments: list[Assignment] = []
    words: list[Word] = []
    redirects: list[Redirection] = []
    while True:
        token = parser.token
        if token.kind is Kind.REDIRECT:
            redirects += parser.redirect()
            end = redirects[-1].span.end
            continue
        if token.kind is not Kind.WORD:
            break
        end = token.span.end
        assignment = None if words else _leading_assignment(token)
        if assignment is not None:
            assignments.append(assignment)
            parser.advance()
            continue
        words.append(argument(token))
        if len(words) == 1:
            _check(parser, words)
        parser.advance()
    if parser.at_operator("("):
        raise _parenthesis(parser, assignments, words)
    if len(words) > 1 and runs_another_command(constant(words[0])):
        _check(parser, words)
    return Simple(tuple(assignments), tuple(words), tuple(redirects), Span(start, end))


def argument(token: Token) -> Word:
    """The word of a token where braces expand. Raises a `Refusal` when bash would expand them."""
    if token.braces is not None:
        raise token.braces
    return token.word


def split_assignment(word: Word) -> Assignment | None:
    """`word` as `NAME=value`, or `None` when it is not one; for the executor's `export` too."""
    first = word.segments[0] if word.segments else None
    match = ASSIGNMENT.match(first.text) if isinstance(first, Raw) else None
    if match is None or not isinstance(first, Raw):
        return None
    rest = word.segments[1:]
    interrupted = first.span.end - first.span.start != len(first.text)
    start = first.span.start + (0 if interrupted else match.end())
    if match.end() < len(first.text):
        rest = (Raw(first.text[match.end() :], Span(start, first.span.end)), *rest)
    return Assignment(match[1], Word(rest, Span(start, word.span.end)), word.span)


def _leading_assignment(token: Token) -> Assignment | None:
    """The assignment a token is; `NAME[` before a command word begins an array element in bash, blanks and all."""
    first = token.word.segments[0]
    if isinstance(first, Raw):
        refused = APPEND_OR_ELEMENT.match(first.text)
        if refused is not None:
            case = "append-assignment" if refused[2] == "+=" else "array"
            raise refuse("malformed-syntax", case, token.span, text=refused[0], word=refused[1])
    return split_assignment(token.word)


def _check(parser: Parser, words: list[Word]) -> None:
    """Refuses a command word outside the contract, as far as it is known before expansion."""
    refusal = refuse_command([constant(word) for word in words], allowed=parser.grammar.allowed)
    if refusal is not None:
        raise refusal.at(Span(words[0].span.start, words[-1].span.end))


def _parenthesis(parser: Parser, assignments: list[Assignment], words: list[Word]) -> Exception:
    opening = parser.token
    before = (words or assignments)[-1] if words or assignments else None
    if before is not None and parser.source.text[opening.start - 1] == "=":
        span = Span(before.span.start, opening.span.end)
        return refuse("malformed-syntax", "array", span, text=parser.source.text[opening.start - 1 : opening.end])
    parser.advance()
    if len(words) == 1 and not assignments and parser.at_operator(")"):
        name = constant(words[0]) or "name"
        return refuse("function-definition", "", Span(words[0].span.start, parser.token.span.end), word=f"{name}()")
    return refuse("malformed-syntax", "unexpected", opening.span, text="(")
