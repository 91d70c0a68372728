"""Random text never breaks a promise of the parser. PI_TEST_FUZZ_COUNT sets how many inputs are tried."""

from __future__ import annotations

import os
import re
import string
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pi_shell import Refusal, parse
from pi_shell.fuzz import BrokenPromise, Programs, Renderer, check, check_spelling
from pi_shell.fuzz.__main__ import fuzz
from pi_shell.fuzz.breakage import SOUP

COUNT = int(os.environ.get("PI_TEST_FUZZ_COUNT", "3000"))
pieces = st.one_of(st.sampled_from(SOUP), st.text(max_size=3), st.text(string.punctuation, max_size=3))


def test_spellings_damage_and_soup() -> None:
    outcomes, _ = fuzz(COUNT, seed=20)
    assert outcomes.total() == COUNT
    assert outcomes["parsed as meant"] == (COUNT + 2) // 3
    if COUNT >= 3000:
        assert len(outcomes) > 12, "most refusals and both kinds of success are met"


@settings(max_examples=max(200, COUNT // 15), deadline=None)
@given(st.lists(pieces, max_size=20).map("".join), st.booleans())
def test_any_text(text: str, windows_paths: bool) -> None:
    first, second = check(text, windows_paths=windows_paths), check(text, windows_paths=windows_paths)
    assert first == second


@settings(max_examples=max(200, COUNT // 15), deadline=None)
@given(st.text())
def test_any_text_in_single_quotes_is_one_word(text: str) -> None:
    quoted = "echo '" + text.replace("'", "'\\''") + "'"
    result = check(quoted)
    if isinstance(result, Refusal):
        assert "\0" in text
    else:
        assert len(result.items[0].pipelines[0].commands[0].words) == 2  # type: ignore[attr-defined]


def test_equal_seeds_give_equal_programs() -> None:
    trees = [Programs(Random(4)).program() for _ in range(2)]
    assert trees[0] == trees[1]
    assert Renderer(Random(4)).program(trees[0]) == Renderer(Random(4)).program(trees[1])


def test_a_wrong_reading_is_noticed() -> None:
    with pytest.raises(BrokenPromise, match="reads as"):
        check_spelling(parse("a b"), "a c")
    with pytest.raises(BrokenPromise, match="is refused"):
        check_spelling(parse("a b"), "a |")


WINDOWS_START = re.compile(r"[A-Za-z]:|\\\\|~.*\\")


@settings(max_examples=max(200, COUNT // 15), deadline=None)
@given(st.lists(pieces, max_size=20).map("".join))
def test_the_windows_rule_touches_windows_paths_only(text: str) -> None:
    if not WINDOWS_START.search(text):
        assert check(text, windows_paths=True) == check(text)
