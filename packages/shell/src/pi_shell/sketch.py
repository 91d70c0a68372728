"""A tree on one line, for people: `pi shell --explain` and tests."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from pi_shell.nodes import (
    BraceGroup,
    CommandSub,
    DoubleQuoted,
    Duplicate,
    ForArith,
    ForWords,
    List,
    Parameter,
    Quoted,
    Raw,
    Redirect,
    Simple,
    Subshell,
    Tilde,
)
from pi_shell.queries import children

if TYPE_CHECKING:
    from pi_shell.nodes import AndOr, Clause, Command, Pipeline, Redirection, Segment, Word


def sketch(tree: List) -> str:
    """`tree` as an S-expression.

    `(cmd …)` is a simple command: its words as they stand with 'quoted' and "double quoted" text, `${x}`, `$(…)`, `~`;
    `x:=w` is an assignment, `[1>w]` a redirection, `[2>&1]` a duplicated descriptor. The rest is `(pipe …)`, `(not …)`,
    `(and a b)`, `(or a b)`, `(seq …)`, `(subshell …)`, `(group …)`, `(for x (words) body)` and
    `(for-arith <init> <condition> <update> body)` with `-` for an empty clause.
    """
    items = [_chain(item) for item in tree.items]
    return items[0] if len(items) == 1 else _group("seq", *items)


def _chain(node: AndOr) -> str:
    names = {"&&": "and", "||": "or"}
    first, *rest = (_pipeline(item) for item in node.pipelines)
    steps = zip(node.operators, rest, strict=True)
    return reduce(lambda left, step: _group(names[step[0]], left, step[1]), steps, first)


def _pipeline(node: Pipeline) -> str:
    commands = [_command(item) for item in node.commands]
    text = commands[0] if len(commands) == 1 else _group("pipe", *commands)
    return _group("not", text) if node.negated else text


def _command(node: Command) -> str:
    redirects = [_redirect(item) for item in node.redirects]
    match node:
        case Simple(assignments, words):
            assigned = [f"{item.name}:={_word(item.value)}" for item in assignments]
            return _group("cmd", *assigned, *map(_word, words), *redirects)
        case Subshell(body):
            return _group("subshell", sketch(body), *redirects)
        case BraceGroup(body):
            return _group("group", sketch(body), *redirects)
        case ForWords(name, words, body):
            return _group("for", name, f"({' '.join(map(_word, words))})", sketch(body), *redirects)
        case ForArith(init, condition, update, body):
            return _group("for-arith", _clause(init), _clause(condition), _clause(update), sketch(body), *redirects)
    return _added(node, redirects)


def _added(node: Command, redirects: list[str]) -> str:
    """A form that an extension added: its name and its lists."""
    bodies = [sketch(child) for child in children(node) if isinstance(child, List)]
    return _group(type(node).__name__.lower(), *bodies, *redirects)


def _clause(node: Clause | None) -> str:
    return "-" if node is None else f"<{''.join(_bare(item) for item in node.text.segments).strip()}>"


def _redirect(node: Redirection) -> str:
    match node:
        case Duplicate(fd, source):
            return f"[{fd}>&{source}]"
        case Redirect(fd, operator, target):
            return f"[{fd}{operator}{_word(target)}]"
    return f"[{type(node).__name__.lower()}]"


def _word(node: Word) -> str:
    return "".join(_segment(item) for item in node.segments)


def _segment(node: Segment) -> str:
    match node:
        case Raw(text):
            return text
        case Quoted(text):
            return f"'{text}'"
        case DoubleQuoted(segments):
            return f'"{"".join(_bare(item) for item in segments)}"'
        case Parameter(name, "#"):
            return f"${{#{name}}}"
        case Parameter(name, operator, argument):
            return f"${{{name}{operator or ''}{_word(argument) if argument else ''}}}"
        case CommandSub(body):
            return f"$({sketch(body)})"
        case Tilde():
            return "~"


def _bare(node: Segment) -> str:
    return node.text if isinstance(node, Quoted) else _segment(node)


def _group(name: str, *parts: str) -> str:
    return f"({' '.join((name, *parts))})"
