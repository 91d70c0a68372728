"""Which words may not be a command, however they are spelt; asked by the parser and again after expansion."""

from __future__ import annotations

from typing import Any

import pytest
from pi_shell import is_shell, parse, program_name, refuse_command
from pi_shell.refused_words import BUILTINS, NAMED

LISTED = "cd pwd echo printf export unset exit true false which test [ ls cat head tail grep find rm cp mv mkdir touch"
LISTED_TEXT = "wc sort uniq cut tr basename dirname sed xargs break continue"


@pytest.mark.cases("shell_command_words.toml")
def test_command_words(case: dict[str, Any]) -> None:
    words = [None if word == "?" else word for word in case["source"].split()]
    refusal = refuse_command(words)
    assert (refusal.id if refusal else "") == case["id"]


@pytest.mark.parametrize("word", [*BUILTINS, *NAMED])
def test_every_refused_word_is_refused_by_the_parser_and_says_what_to_write(word: str) -> None:
    refusal = refuse_command([word])
    assert refusal is not None
    assert word in refusal.message
    assert refusal.message.partition(": ")[2]
    assert refuse_command([word], allowed=frozenset({word})) is None


@pytest.mark.parametrize("word", [*LISTED.split(), *LISTED_TEXT.split()])
def test_builtins_of_the_contract_are_not_refused(word: str) -> None:
    assert refuse_command([word]) is None
    assert parse(f"{word} x")


def test_no_command_is_no_refusal() -> None:
    assert refuse_command([]) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("C:\\Windows\\System32\\cmd.exe", "cmd"),
        ("/usr/local/bin/Bash", "bash"),
        ("tool.CMD", "tool"),
        ("a.b.exe", "a.b"),
        ("dir/", ""),
    ],
)
def test_program_names(path: str, name: str) -> None:
    assert program_name(path) == name


def test_a_resolved_executable_is_judged_by_its_path() -> None:
    assert is_shell("/usr/bin/dash")
    assert is_shell("C:\\Program Files\\PowerShell\\7\\pwsh.exe")
    assert not is_shell("/usr/bin/python3.11")
