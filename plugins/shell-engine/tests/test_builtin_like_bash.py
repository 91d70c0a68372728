"""The builtins against bash 5.2 and GNU: output, status, whether it complained, the files left; LC_ALL=C."""

import os
import shlex
import shutil
import tomllib
from collections.abc import Sequence
from typing import Any

import pytest
from builtin_bash import Seen, in_bash, in_builtins, recorded
from builtin_cases import CHANGING, FILES, HERE, Case, cases, drawn
from builtin_generator import GENERATORS
from builtin_harness import bash, ours
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pi_shell_engine.builtins import CONTRACT

WINDOWS = os.name == "nt"
DIVERGENCES = tomllib.loads((HERE / "builtin_divergences.toml").read_text("utf-8"))["case"]
ONLY_UNIX = tomllib.loads((HERE / "builtin_only_unix.toml").read_text("utf-8"))
needs_bash = pytest.mark.skipif(WINDOWS or not shutil.which("bash"), reason="compares with bash, which is not here")


def differences(chosen: Sequence[Case], expected: Sequence[Seen]) -> list[str]:
    """Every case that differs, as text; a refusal is a difference here."""
    return [
        f"{case.key}\n    bash {wanted}\n    ours {got} {answer.stderr!r}"
        for case, wanted, (got, answer) in zip(chosen, expected, in_builtins(chosen), strict=True)
        if got != wanted or b": refused: " in answer.stderr
    ]


def named(name: str) -> list[Case]:
    return [case for case in cases() if case.argv[0] == name]


def test_cases_are_many_and_of_every_builtin() -> None:
    assert len(cases()) >= 1500
    assert {case.argv[0] for case in cases()} == CONTRACT.keys() - {"pwd", "which"}


@pytest.mark.parametrize("name", GENERATORS)
def test_equals_what_bash_said(name: str) -> None:
    """The recorded expectations; they are what a system without bash is compared with."""
    known = recorded()
    chosen = [case for case in named(name) if not (WINDOWS and _only_unix(case))]
    assert differences(chosen, [known[case.key] for case in chosen]) == []


def _only_unix(case: Case) -> bool:
    return any(case.key.startswith(start) for start in ONLY_UNIX["commands"])


@needs_bash
def test_expectations_are_what_bash_says() -> None:
    """A sample: every case of a builtin that changes nothing, and some of the others."""
    chosen = [case for number, case in enumerate(cases()) if number % (7 if case.argv[0] in CHANGING else 3) == 0]
    known = recorded()
    said = in_bash(chosen)
    assert [
        (case.key, known[case.key], now) for case, now in zip(chosen, said, strict=True) if known[case.key] != now
    ] == []


@needs_bash
@settings(
    max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(st.lists(st.tuples(st.sampled_from(sorted(GENERATORS)), st.randoms(use_true_random=False)), min_size=25))
def test_equals_bash_on_any_line(lots: list[tuple[str, Any]]) -> None:
    lines = [drawn(name, source) for name, source in lots]
    chosen = [
        case for case, (_, answer) in zip(lines, in_builtins(lines), strict=True) if b"refused: " not in answer.stderr
    ]
    assert differences(chosen, in_bash(chosen)) == []


@pytest.mark.parametrize("row", DIVERGENCES, ids=lambda row: row["command"])
def test_divergence_is_as_listed(row: dict[str, Any]) -> None:
    argv, stdin = shlex.split(row["command"]), row.get("input", "").encode()
    answer = ours(argv, FILES, stdin)
    assert (answer.stdout.decode(), answer.status) == (row["ours"]["out"], row["ours"].get("status", 0))
    assert set(answer.hints) == {row["ours"].get("hint")} - {None}
    assert [name for name in row.get("left", ()) if name in answer.tree] == row.get("left", []) * row["ours"].get(
        "left", True
    )


@needs_bash
@pytest.mark.parametrize("row", DIVERGENCES, ids=lambda row: row["command"])
def test_divergence_is_one(row: dict[str, Any]) -> None:
    answer = bash(shlex.split(row["command"]), FILES, row.get("input", "").encode())
    assert (answer.stdout.decode(), answer.status) == (row["bash"]["out"], row["bash"].get("status", 0))
    assert [name for name in row.get("left", ()) if name in answer.tree] == row.get("left", []) * row["bash"].get(
        "left", True
    )
