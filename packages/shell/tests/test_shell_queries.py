"""What routing and policy ask about a tree."""

from __future__ import annotations

import json

import pytest
from pi_shell import parse
from pi_shell.dump import as_json, dump
from pi_shell.queries import Place, simple_command, simple_commands

ONE = [
    ("git status", ("git", "status")),
    ("  'a b' \"c\" d\\ e \n", ("a b", "c", "d e")),
    ("echo ''", ("echo", "")),
    ("rg x; # done", ("rg", "x")),
]
NOT_ONE = (
    *("", "a; b", "a\nb", "a && b", "a | b", "! a", "(a)", "{ a; }", "for x in a; do b; done"),
    *("X=1", "X=1 a", "a > f", "a 2>&1", "a $x", 'a "$x"', "a $(b)", "a *", "a ?", "a [b]", "a ~"),
)


@pytest.mark.parametrize(("source", "words"), ONE)
def test_one_simple_command(source: str, words: tuple[str, ...]) -> None:
    assert simple_command(parse(source)) == words


@pytest.mark.parametrize("source", NOT_ONE)
def test_everything_else_is_not_one_simple_command(source: str) -> None:
    assert simple_command(parse(source)) is None


def places(source: str) -> dict[str, Place]:
    return {place.name or "": place for place in simple_commands(parse(source))}


def test_every_simple_command_is_found_in_source_order() -> None:
    source = 'a $(b `c`) | (d; { e; }) && for x in $(f); do g "${h:-$(i)}"; done > $(j)\nk'
    assert [place.name for place in simple_commands(parse(source))] == list("abcdefgijk")


def test_a_place_knows_its_pipeline() -> None:
    found = places("a | b | c")
    assert [(place.index, place.first_in_pipeline, place.last_in_pipeline) for place in found.values()] == [
        (0, True, False),
        (1, False, False),
        (2, False, True),
    ]
    assert {place.pipeline for place in found.values()} == {found["a"].pipeline}


def test_a_place_knows_what_joins_its_pipeline_to_the_next() -> None:
    found = places("a && b || c; d\ne")
    assert {name: (place.before, place.after) for name, place in found.items()} == {
        "a": ("", "&&"),
        "b": ("&&", "||"),
        "c": ("||", ";"),
        "d": (";", ";"),
        "e": (";", ""),
    }
    assert [name for name, place in found.items() if place.last_in_list] == ["e"]


def test_the_last_of_a_list_is_the_last_of_its_last_pipeline() -> None:
    assert [name for name, place in places("a; b | c").items() if place.last_in_list] == ["c"]


def test_a_place_knows_what_encloses_it() -> None:
    found = places("a; (b; { c; }) | d $(e)")
    kinds = {name: [type(outer).__name__ for outer in place.enclosing] for name, place in found.items()}
    assert kinds == {"a": [], "b": ["Subshell"], "c": ["Subshell", "BraceGroup"], "d": [], "e": ["CommandSub"]}
    assert [name for name, place in found.items() if place.in_substitution] == ["e"]


def test_a_name_is_known_only_before_expansion() -> None:
    assert [place.name for place in simple_commands(parse("$x a; 'b c'; > f; X=1"))] == [None, "b c", None, None]


def word(kind: str, text: str, *span: int) -> dict[str, object]:
    return {"type": "Word", "segments": [{"type": kind, "text": text, "span": [*span]}], "span": [*span]}


def test_json_has_types_spans_and_no_empty_parts() -> None:
    redirect = {"type": "Redirect", "fd": 1, "operator": ">", "target": word("Raw", "f", 9, 10), "span": [8, 10]}
    words = [word("Raw", "a", 2, 3), word("Quoted", "b", 4, 7)]
    simple = {"type": "Simple", "words": words, "redirects": [redirect], "span": [2, 10]}
    pipeline = {"type": "Pipeline", "commands": [simple], "negated": True, "span": [0, 10]}
    chain = {"type": "AndOr", "pipelines": [pipeline], "span": [0, 10]}
    assert as_json(parse("! a 'b' >f")) == {"type": "List", "items": [chain], "span": [0, 10]}


def test_dump_is_that_json_as_text_even_for_bytes_that_are_not_utf8() -> None:
    tree = parse("for ((i=0;;)); do echo \udcff ${x:-y} $(z) ~; done")
    assert json.loads(dump(tree)) == as_json(tree)
    assert dump(tree).encode("ascii")


def test_dump_survives_the_deepest_tree() -> None:
    assert json.loads(dump(parse("( " * 24 + "echo " + "$(a " * 8 + ")" * 8 + ")" * 24)))
