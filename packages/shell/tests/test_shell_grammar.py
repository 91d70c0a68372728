"""Every form of the contract's grammar, as a tree."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
from pi_shell import parse
from pi_shell.nodes import (
    AndOr,
    BraceGroup,
    Clause,
    Command,
    CommandSub,
    DoubleQuoted,
    Duplicate,
    ForArith,
    ForWords,
    List,
    Parameter,
    Pipeline,
    Quoted,
    Raw,
    Redirect,
    Segment,
    Simple,
    Subshell,
    Tilde,
    Word,
)


@pytest.mark.cases("shell_grammar.toml")
def test_source_has_this_tree(case: dict[str, Any]) -> None:
    assert sketch(parse(case["source"])) == case["tree"]


def sketch(tree: List) -> str:
    items = [chain(item) for item in tree.items]
    return items[0] if len(items) == 1 else group("seq", *items)


def chain(node: AndOr) -> str:
    names = {"&&": "and", "||": "or"}
    first, *rest = (pipeline(item) for item in node.pipelines)
    steps = zip(node.operators, rest, strict=True)
    return reduce(lambda left, step: group(names[step[0]], left, step[1]), steps, first)


def pipeline(node: Pipeline) -> str:
    commands = [command(item) for item in node.commands]
    text = commands[0] if len(commands) == 1 else group("pipe", *commands)
    return group("not", text) if node.negated else text


def command(node: Command) -> str:
    redirects = [redirect(item) for item in node.redirects]
    match node:
        case Simple(assignments, words):
            assigned = [f"{item.name}:={word(item.value)}" for item in assignments]
            return group("cmd", *assigned, *map(word, words), *redirects)
        case Subshell(body):
            return group("subshell", sketch(body), *redirects)
        case BraceGroup(body):
            return group("group", sketch(body), *redirects)
        case ForWords(name, words, body):
            return group("for", name, f"({' '.join(map(word, words))})", sketch(body), *redirects)
        case ForArith(init, condition, update, body):
            return group("for-arith", clause(init), clause(condition), clause(update), sketch(body), *redirects)
    raise AssertionError(node)


def clause(node: Clause | None) -> str:
    return "-" if node is None else f"<{''.join(bare(item) for item in node.text.segments)}>"


def redirect(node: object) -> str:
    if isinstance(node, Duplicate):
        return f"[{node.fd}>&{node.source}]"
    assert isinstance(node, Redirect)
    return f"[{node.fd}{node.operator}{word(node.target)}]"


def word(node: Word) -> str:
    return "".join(segment(item) for item in node.segments)


def segment(node: Segment) -> str:
    match node:
        case Raw(text):
            return text
        case Quoted(text):
            return f"'{text}'"
        case DoubleQuoted(segments):
            return f'"{"".join(bare(item) for item in segments)}"'
        case Parameter(name, "#"):
            return f"${{#{name}}}"
        case Parameter(name, operator, argument):
            return f"${{{name}{operator or ''}{word(argument) if argument else ''}}}"
        case CommandSub(body):
            return f"$({sketch(body)})"
        case Tilde():
            return "~"


def bare(node: Segment) -> str:
    return node.text if isinstance(node, Quoted) else segment(node)


def group(name: str, *parts: str) -> str:
    return f"({' '.join((name, *parts))})"


def test_omitted_and_empty_lists_are_the_same_loop() -> None:
    assert parse("for x; do a; done") == parse("for x in; do a; done")


def test_tilde_is_told_from_a_plain_tilde() -> None:
    assert parse("cd ~").items[0].pipelines[0].commands[0].words[1].segments == (Tilde(),)  # type: ignore[attr-defined]
    assert parse("cd \\~").items[0].pipelines[0].commands[0].words[1].segments == (Quoted("~"),)  # type: ignore[attr-defined]
