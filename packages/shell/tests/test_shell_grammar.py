"""Every form of the contract's grammar, as a tree."""

from __future__ import annotations

from typing import Any

import pytest
from pi_shell import parse
from pi_shell.nodes import Quoted, Tilde
from pi_shell.sketch import sketch


@pytest.mark.cases("shell_grammar.toml")
def test_source_has_this_tree(case: dict[str, Any]) -> None:
    assert sketch(parse(case["source"])) == case["tree"]


def test_omitted_and_empty_lists_are_the_same_loop() -> None:
    assert parse("for x; do a; done") == parse("for x in; do a; done")


def test_tilde_is_told_from_a_plain_tilde() -> None:
    assert parse("cd ~").items[0].pipelines[0].commands[0].words[1].segments == (Tilde(),)  # type: ignore[attr-defined]
    assert parse("cd \\~").items[0].pipelines[0].commands[0].words[1].segments == (Quoted("~"),)  # type: ignore[attr-defined]
