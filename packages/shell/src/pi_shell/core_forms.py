"""The contract's compound commands and redirections, and the grammar that holds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.constants import constant
from pi_shell.expansions import is_arithmetic
from pi_shell.grammar import Grammar
from pi_shell.lexer import Kind
from pi_shell.nodes import BraceGroup, Duplicate, ForArith, ForWords, Redirect, Span, Subshell
from pi_shell.refusals import refuse
from pi_shell.simple_commands import argument

if TYPE_CHECKING:
    from pi_shell.grammar import RedirectForm
    from pi_shell.lexer import Token
    from pi_shell.nodes import Compound, List, Redirection, RedirectOperator, Word
    from pi_shell.parser import Parser

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HEADER = re.compile(r"(?:[ \t]|\\\n)*(?P<open>\()(?:\\\n)*\(")
OPEN_FDS = (1, 2)
CLOSERS = frozenset({"}", "do", "done", "then", "elif", "else", "fi", "esac", "in", "]]"})


def subshell(parser: Parser) -> Compound:
    """`( list )`; `((` that is closed by `))` is arithmetic."""
    opening = parser.token
    if is_arithmetic(parser.source.text, opening.end):
        raise refuse("arithmetic-expansion", span=opening.span, text="((…))")
    parser.advance()
    body = parser.body(frozenset(), opening)
    closing = _closing_paren(parser)
    redirects = parser.redirects()
    return Subshell(body, redirects, _span(opening, closing, redirects))


def _closing_paren(parser: Parser) -> Token:
    if not parser.at_operator(")"):
        raise parser.unexpected()
    return parser.advance()


def brace_group(parser: Parser) -> Compound:
    """`{ list; }`."""
    opening = parser.advance()
    body = parser.body(frozenset({"}"}), opening)
    closing = expect(parser, "}")
    redirects = parser.redirects()
    return BraceGroup(body, redirects, _span(opening, closing, redirects))


def for_loop(parser: Parser) -> Compound:
    """Both kinds of `for`."""
    opening = parser.token
    header = HEADER.match(parser.source.text, opening.end)
    if header is not None:
        return _for_arith(parser, opening, header)
    parser.advance()
    return _for_words(parser, opening)


def _for_words(parser: Parser, opening: Token) -> ForWords:
    name = parser.token
    if name.kind is not Kind.WORD or not NAME.fullmatch(name.text):
        text = "the name is missing" if name.kind is not Kind.WORD else parser.source.text[name.start : name.end]
        raise refuse("malformed-syntax", "for-name", name.span, text=text)
    parser.advance()
    words: list[Word] = []
    if parser.at_operator(";"):
        parser.advance()
    else:
        parser.skip_newlines()
        if parser.at_word("in"):
            parser.advance()
            while parser.token.kind is Kind.WORD:
                words.append(argument(parser.token))
                parser.advance()
            _list_terminator(parser)
    body, closing, redirects = _do_done(parser, opening)
    return ForWords(name.text, tuple(words), body, redirects, _span(opening, closing, redirects))


def _for_arith(parser: Parser, opening: Token, header: re.Match[str]) -> ForArith:
    from pi_shell.for_headers import arithmetic_header

    lexer = parser.lexer
    (init, condition, update), lexer.position = arithmetic_header(lexer.words, header.start("open"), header.end())
    parser.advance()
    if parser.at_operator(";"):
        parser.advance()
    body, closing, redirects = _do_done(parser, opening)
    return ForArith(init, condition, update, body, redirects, _span(opening, closing, redirects))


def _list_terminator(parser: Parser) -> None:
    if parser.at_operator(";") or parser.token.kind is Kind.NEWLINE:
        parser.advance()
    else:
        raise _malformed_for(parser)


def _malformed_for(parser: Parser) -> Exception:
    if parser.token.kind is Kind.REDIRECT:
        parser.redirect()
    found = "the end" if parser.token.kind is Kind.END else parser.source.text[parser.token.start : parser.token.end]
    if parser.at_operator("&") or parser.at_operator("|&"):
        return parser.unexpected()
    return refuse("malformed-syntax", "for-body", parser.token.span, text=f"{found} is out of place")


def _do_done(parser: Parser, opening: Token) -> tuple[List, Token, tuple[Redirection, ...]]:
    parser.skip_newlines()
    if not parser.at_word("do"):
        raise _malformed_for(parser)
    parser.advance()
    body = parser.body(frozenset({"done"}), opening)
    closing = expect(parser, "done")
    return body, closing, parser.redirects()


def expect(parser: Parser, word: str) -> Token:
    """Steps over the reserved word that has to stand here, or refuses."""
    if not parser.at_word(word):
        raise parser.unexpected()
    return parser.advance()


def _span(opening: Token, closing: Token, redirects: tuple[Redirection, ...]) -> Span:
    return Span(opening.span.start, redirects[-1].span.end if redirects else closing.span.end)


def file_redirect(operator: RedirectOperator) -> RedirectForm:
    """The form of `<`, `>` or `>>`."""
    default = 0 if operator == "<" else 1
    allowed = (None,) if operator == "<" else (None, *OPEN_FDS)

    def form(parser: Parser) -> tuple[Redirection, ...]:
        token = parser.token
        if token.fd not in allowed:
            raise _descriptor(parser)
        target, span = _target(parser)
        return (Redirect(default if token.fd is None else token.fd, operator, target, span),)

    return form


def both(parser: Parser) -> tuple[Redirection, ...]:
    """`&> file`."""
    target, span = _target(parser)
    return Redirect(1, ">", target, span), Duplicate(2, 1, span)


def duplicate(parser: Parser) -> tuple[Redirection, ...]:
    """`fd>&1`, `fd>&2`, and `>& file`, which is `&> file`."""
    token = parser.token
    if token.fd is not None and token.fd not in OPEN_FDS:
        raise _descriptor(parser)
    target, span = _target(parser)
    value = constant(target)
    written = f"{'' if token.fd is None else token.fd}>&{value if value is not None else '…'}"
    if value is not None and re.fullmatch(r"[0-9]*-", value):
        raise refuse("malformed-syntax", "close", span, text=written)
    if value is not None and value.isascii() and value.isdigit():
        if int(value[:9]) not in OPEN_FDS:
            raise refuse("malformed-syntax", "descriptor", span, text=written)
        return (Duplicate(1 if token.fd is None else token.fd, int(value), span),)
    if value is None or token.fd is not None:
        raise refuse("malformed-syntax", "duplicate-target", span, text=written)
    return Redirect(1, ">", target, span), Duplicate(2, 1, span)


def _target(parser: Parser) -> tuple[Word, Span]:
    operator = parser.advance()
    token = parser.token
    if token.kind is Kind.REDIRECT and token.text in ("<(", ">("):
        parser.redirect()
    if token.kind is not Kind.WORD:
        raise refuse("malformed-syntax", "redirect-target", operator.span, text=operator.text)
    word = argument(token)
    parser.advance()
    return word, Span(operator.span.start, word.span.end)


def _descriptor(parser: Parser) -> Exception:
    token = parser.token
    return refuse("malformed-syntax", "descriptor", token.span, text=f"{token.fd}{token.text}")


def refused(id: str, case: str = "", text: str = "") -> RedirectForm:
    """The form of an operator that is always refused."""

    def form(parser: Parser) -> tuple[Redirection, ...]:
        raise refuse(id, case, parser.token.span, text=text or parser.token.text)

    return form


CORE = Grammar(
    compounds={"(": subshell, "{": brace_group, "for": for_loop},
    redirects={
        "<": file_redirect("<"),
        ">": file_redirect(">"),
        ">>": file_redirect(">>"),
        "&>": both,
        ">&": duplicate,
        "<<": refused("heredoc"),
        "<<-": refused("heredoc"),
        "<<<": refused("here-string"),
        "<(": refused("process-substitution"),
        ">(": refused("process-substitution"),
        "&>>": refused("malformed-syntax", "append-both"),
        ">|": refused("malformed-syntax", "clobber"),
        "<&": refused("malformed-syntax", "duplicate-input"),
        "<>": refused("malformed-syntax", "read-write"),
    },
    closers=CLOSERS,
)
"""The contract's grammar."""
