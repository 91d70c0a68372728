"""Every refusal: its identifier, what it says, where it points; and the catalogue behind them."""

from __future__ import annotations

import inspect
import pickle
import sys
from typing import Any

import pytest
from pi_shell import Refusal, catalogue, parse, refuse
from pi_shell.nodes import Span

CONTRACT = """
    job-control process-substitution arithmetic-expansion brace-expansion nested-shell exec-builtin heredoc here-string
    function-definition control-flow extended-glob unsupported-builtin unsupported-flag posix-script cwd-missing
    tilde-user malformed-syntax parameter-expansion
"""
DEEP = 5000


def refusal_of(source: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse(source)
    return caught.value


@pytest.mark.cases("shell_refusals.toml")
def test_source_is_refused(case: dict[str, Any]) -> None:
    refusal = refusal_of(case["source"])
    assert refusal.id == case["id"]
    assert refusal.span is not None
    assert case["source"][slice(*refusal.span)] == case["at"]
    for text in case["says"]:
        assert text in refusal.message


def test_catalogue_has_exactly_the_identifiers_of_the_contract() -> None:
    assert sorted(catalogue()) == sorted(CONTRACT.split())


@pytest.mark.parametrize("entry", catalogue().values(), ids=lambda entry: entry.id)
def test_every_entry_says_what_is_refused_and_what_to_do(entry: Any) -> None:
    assert entry.construct
    assert entry.when
    for template in (entry.message, *entry.cases.values()):
        assert ":" in template, "what was refused, a colon, and what to write instead"
        assert template[0] not in ".,:"


def test_refusals_are_values() -> None:
    refusal = refuse("heredoc", span=Span(1, 3), text="<<")
    assert refusal == Refusal("heredoc", refusal.message, Span(1, 3))
    assert refusal != refusal.at(Span(0, 2))
    assert len({refusal, refusal.at(Span(1, 3))}) == 1
    assert pickle.loads(pickle.dumps(refusal)) == refusal
    assert str(refusal).startswith("heredoc: here-documents (<<)")


def test_a_message_repeats_little_of_the_users_text_and_keeps_to_one_line() -> None:
    refusal = refusal_of("echo {a,'\n\x1b" + "x" * DEEP + "'}")
    assert len(refusal.message) < 300
    assert "{a,'\\n\\x1bxxx" in refusal.message
    assert refusal.message.isprintable()


def test_an_unknown_identifier_is_a_fault_of_the_caller() -> None:
    with pytest.raises(KeyError):
        refuse("no-such-thing")


@pytest.mark.parametrize("surrogate", ["\ud83d", "\ude00", "\ud83d\ude00"])
def test_half_a_character_is_refused(surrogate: str) -> None:
    assert "half a character" in refusal_of(f"echo {surrogate}").message


def test_bytes_that_are_not_utf8_are_words() -> None:
    assert parse("echo \udcff")


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("(" * DEEP, 32),
        ("( " * 33 + "a" + ")" * 33, 32),
        ("{ " * 33 + "a" + ";}" * 33, 32),
        ("for x in a; do " * 33 + "a" + "; done" * 33, 32),
        ("echo " + "${a:-" * DEEP, 32),
        ("echo " + '"${a:-' * DEEP, 32),
        ("echo " + "$(" * 300, 8),
        ("echo " + '"$(' * 300, 8),
        ("echo " + "$(a " * 9 + ")" * 9, 8),
    ],
)
def test_nesting_has_a_named_limit(source: str, limit: int) -> None:
    refusal = refusal_of(source)
    assert refusal.id == "malformed-syntax"
    assert f"nested more than {limit}" in refusal.message


@pytest.mark.parametrize(
    "source",
    [
        "( " * 32 + "a" + ")" * 32,
        "echo " + "$(a " * 8 + ")" * 8,
        "echo " + "${a:-" * 32 + "}" * 32,
        "( " * 4 + "{ " * 4 + "echo " + "$(a " * 8 + ")" * 8 + ";}" * 4 + ")" * 4,
    ],
)
def test_nesting_up_to_the_limit_is_parsed(source: str) -> None:
    assert parse(source)


def test_nested_backticks_are_limited_too() -> None:
    body = "a"
    for _ in range(9):
        body = "a `" + body.replace("\\", "\\\\").replace("`", "\\`") + "`"
    assert "substitution is nested more than 8" in refusal_of(body).message


@pytest.mark.parametrize("opening", ["( ", "{ ", "for x in a; do ", '"${a:-', "echo $(a ", "((a); "])
def test_the_deepest_input_needs_little_of_the_stack(opening: str) -> None:
    """A host may already stand deep in its own calls; Python's limit is 1,000 by default."""

    def deeper(levels: int) -> None:
        if levels:
            deeper(levels - 1)
        else:
            refusal_of(opening * 40)

    deeper(sys.getrecursionlimit() - 500 - len(inspect.stack()))
