"""What the parser promises about any text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pi_shell.dump import as_json
from pi_shell.nodes import CommandSub, List, Raw
from pi_shell.parser import parse
from pi_shell.queries import children, simple_command, simple_commands
from pi_shell.refusals import Refusal, catalogue

if TYPE_CHECKING:
    from pi_shell.nodes import Node, Span


class BrokenPromise(AssertionError):
    """The parser did not do what it promises; the text says what and for which input."""


def check(text: str, *, windows_paths: bool = False) -> List | Refusal:
    """Parses `text` and checks every promise: only refusals are raised, and spans, dump and queries hold together."""
    try:
        tree = parse(text, windows_paths=windows_paths)
    except Refusal as refusal:
        _check_refusal(text, refusal)
        return refusal
    except Exception as error:
        raise BrokenPromise(f"parse raised {error!r} for {text!r}") from error
    _check_spans(text, tree, whole=True)
    json.dumps(as_json(tree))
    words = simple_command(tree)
    places = list(simple_commands(tree))
    if words is not None and len(places) != 1:
        raise BrokenPromise(f"{text!r} is one simple command but has {len(places)}")
    return tree


def check_spelling(tree: List, text: str) -> None:
    """`text` is a spelling of `tree`: parsing gives the tree back."""
    parsed = check(text)
    if isinstance(parsed, Refusal):
        raise BrokenPromise(f"{text!r} is a spelling of a tree but is refused: {parsed!r}")
    if parsed != tree:
        meant, read = _difference(tree, parsed)
        raise BrokenPromise(f"{text!r}\n  means    {meant!r}\n  reads as {read!r}")


def _difference(meant: Node, read: Node) -> tuple[Node, Node]:
    """The smallest parts that differ."""
    inner = list(zip(children(meant), children(read), strict=False))
    pairs = [pair for pair in inner if pair[0] != pair[1]]
    same_shape = len(inner) == len(list(children(meant))) == len(list(children(read)))
    return _difference(*pairs[0]) if pairs and same_shape and type(meant) is type(read) else (meant, read)


def _check_refusal(text: str, refusal: Refusal) -> None:
    if refusal.id not in catalogue():
        raise BrokenPromise(f"{refusal.id} is not in the catalogue, for {text!r}")
    span = refusal.span
    if span is None or not 0 <= span.start <= span.end <= len(text):
        raise BrokenPromise(f"{refusal!r} points outside of {text!r}")
    if not refusal.message.isprintable():
        raise BrokenPromise(f"{refusal!r} does not fit on a line, for {text!r}")


def _check_spans(text: str, node: Node, *, whole: bool) -> None:
    """Spans lie inside their parents', do not run backwards, and plain text is what stands there."""
    span = node.span
    _require(0 <= span.start <= span.end <= len(text), text, node)
    if isinstance(node, Raw) and whole:
        _require(text[span.start : span.end].replace("\\\n", "").endswith(node.text), text, node)
    backticks = isinstance(node, CommandSub) and text[span.start] == "`"
    last: dict[type, Span] = {}
    for child in children(node):
        _require(span.start <= child.span.start and child.span.end <= span.end, text, child)
        before = last.get(type(child))
        _require(before is None or before.start <= child.span.start, text, child)
        last[type(child)] = child.span
        _check_spans(text, child, whole=whole and not backticks)


def _require(holds: bool, text: str, node: Node) -> None:
    if not holds:
        raise BrokenPromise(f"the span of {node!r}, {node.span}, is wrong in {text!r}")
