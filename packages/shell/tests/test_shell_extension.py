"""A plugin adds grammar forms without touching the parser: `while` and here-documents, made here for the purpose."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from pi_shell import CORE, Refusal, constant, parse, refuse
from pi_shell.core_forms import expect
from pi_shell.dump import as_json
from pi_shell.lexer import Lexer
from pi_shell.nodes import NOWHERE, Compound, List, Redirection, Simple, Span
from pi_shell.parser import Parser
from pi_shell.queries import simple_commands
from pi_shell.sketch import sketch


@dataclass(frozen=True, slots=True)
class While(Compound):
    condition: List
    body: List
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class HereDocument(Redirection):
    lines: list[str]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


def while_loop(parser: Parser) -> While:
    opening = parser.advance()
    condition = parser.body(frozenset({"do"}), opening)
    expect(parser, "do")
    body = parser.body(frozenset({"done"}), opening)
    closing = expect(parser, "done")
    return While(condition, body, parser.redirects(), Span(opening.span.start, closing.span.end))


def here_document(parser: Parser) -> tuple[Redirection, ...]:
    opening = parser.advance()
    delimiter, lines = constant(parser.token.word), list[str]()

    def read(lexer: Lexer) -> None:
        while True:
            end = lexer.text.find("\n", lexer.position)
            if end < 0:
                raise refuse("malformed-syntax", "unclosed", opening.span, text="<<", instead=delimiter)
            line, lexer.position = lexer.text[lexer.position : end], end + 1
            if line == delimiter:
                return
            lines.append(line)

    parser.lexer.at_newline.append(read)
    parser.advance()
    return (HereDocument(lines, opening.span),)


EXTENDED = CORE.extended(
    compounds={"while": while_loop}, redirects={"<<": here_document}, allowed=frozenset({"read", "while"})
)


def test_an_added_compound_command_nests_like_any_other() -> None:
    tree = parse("a | while read x; do ( while b; do c; done ) done > f", grammar=EXTENDED)
    assert [place.name for place in simple_commands(tree)] == ["a", "read", "b", "c"]
    assert [type(outer).__name__ for outer in list(simple_commands(tree))[-1].enclosing] == [
        "While",
        "Subshell",
        "While",
    ]
    assert "'While'" in str(as_json(tree))
    assert sketch(tree) == ("(pipe (cmd a) (while (cmd read x) (subshell (while (cmd b) (cmd c))) [1>f]))")


def test_an_added_redirection_reads_its_text_at_the_next_newline() -> None:
    tree = parse("cat <<A <<B | b\none\nA\ntwo\nB\nc $(d <<C\nthree\nC\n)", grammar=EXTENDED)
    places = list(simple_commands(tree))
    assert [place.name for place in places] == ["cat", "b", "c", "d"]
    documents = [item.lines for place in places for item in place.command.redirects if isinstance(item, HereDocument)]
    assert documents == [["one"], ["two"], ["three"]]
    assert sketch(tree).startswith("(seq (pipe (cmd cat [heredocument] [heredocument]) (cmd b))")


def test_an_added_redirection_can_refuse() -> None:
    with pytest.raises(Refusal, match="add the missing A"):
        parse("cat <<A\none\n", grammar=EXTENDED)


def test_allowed_words_are_commands_and_everything_else_stays_as_it_was() -> None:
    command = parse("read x", grammar=EXTENDED).items[0].pipelines[0].commands[0]
    assert isinstance(command, Simple)
    for source in ("eval x", "until a; do b; done", "cat <<< a", "done"):
        with pytest.raises(Refusal):
            parse(source, grammar=EXTENDED)
    for source in ("read x", "while a; do b; done", "cat <<A\nA\n"):
        with pytest.raises(Refusal):
            parse(source)


def test_nesting_of_added_forms_is_limited_too() -> None:
    with pytest.raises(Refusal, match="nested more than 32"):
        parse("while a; do " * 40, grammar=EXTENDED)
