"""Environments as values: without case on Windows, one name once, nothing lost."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_process import child_environment, merge_environment, prepend_path
from pi_process.environment import variable

MERGES: list[tuple[bool, dict[str, str], dict[str, str | None], dict[str, str]]] = [
    (False, {"A": "1"}, {"B": "2"}, {"A": "1", "B": "2"}),
    (False, {"A": "1"}, {"A": "2"}, {"A": "2"}),
    (False, {"A": "1"}, {"a": "2"}, {"A": "1", "a": "2"}),
    (False, {"A": "1", "B": "2"}, {"A": None, "C": None}, {"B": "2"}),
    (False, {"A": "1"}, {"A": ""}, {"A": ""}),
    (True, {"Path": "x"}, {"PATH": "y"}, {"Path": "y"}),
    (True, {"Path": "x", "TEMP": "t"}, {"path": None}, {"TEMP": "t"}),
    (True, {"Path": "a;b", "PATH": "b;c"}, {}, {"Path": "a;b;c"}),
    (True, {"Name": "1", "NAME": "2"}, {}, {"Name": "2"}),
    (True, {"=C:": "C:\\x"}, {"New": "1"}, {"=C:": "C:\\x", "New": "1"}),
    (True, {}, {"a": "1", "A": "2"}, {"a": "2"}),
]


@pytest.mark.parametrize(("windows", "base", "changes", "merged"), MERGES)
def test_merging(windows: bool, base: dict[str, str], changes: dict[str, str | None], merged: dict[str, str]) -> None:
    assert merge_environment(base, changes, windows=windows) == merged


PATHS: list[tuple[bool, dict[str, str], dict[str, str]]] = [
    (False, {"PATH": "/bin"}, {"PATH": "/new:/bin"}),
    (False, {"PATH": "/bin:/new"}, {"PATH": "/new:/bin"}),
    (False, {"Path": "other"}, {"Path": "other", "PATH": "/new"}),
    (True, {"path": "X"}, {"path": "/new;X"}),
    (True, {"Path": "X", "PATH": "Y"}, {"Path": "/new;X;Y"}),
    (True, {}, {"PATH": "/new"}),
]


@pytest.mark.parametrize(("windows", "base", "result"), PATHS)
def test_prepending_to_the_search_path(windows: bool, base: dict[str, str], result: dict[str, str]) -> None:
    assert prepend_path(base, ["/new"], windows=windows) == result


names = st.text(alphabet="aAbBpPtThH", min_size=1, max_size=4)


@given(st.dictionaries(names, st.text(max_size=3)), st.dictionaries(names, st.none() | st.text(max_size=3)))
def test_on_windows_each_name_is_there_once_and_the_last_change_wins(
    base: Mapping[str, str], changes: Mapping[str, str | None]
) -> None:
    merged = merge_environment(base, changes, windows=True)
    assert len({name.upper() for name in merged}) == len(merged)
    last = {name.upper(): value for name, value in changes.items()}
    for name, value in last.items():
        assert variable(merged, name, windows=True) == value
    assert {name.upper() for name in merged} == {n.upper() for n in base} - {
        n for n, v in last.items() if v is None
    } | {n for n, v in last.items() if v is not None}


def test_secrets_are_dropped_and_the_rest_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PI_TEST_SECRET", "hush")
    monkeypatch.setenv("PI_TEST_PUBLIC", "open")
    environment = child_environment(drop=["PI_TEST_SECRET", "PI_TEST_ABSENT"], changes={"EXTRA": "1"})
    assert "PI_TEST_SECRET" not in environment
    assert environment["PI_TEST_PUBLIC"] == "open"
    assert environment["EXTRA"] == "1"
    assert os.environ["PI_TEST_SECRET"] == "hush"


@pytest.mark.parametrize(("windows", "kept"), [(False, {"api_key": "x"}), (True, {})])
def test_dropping_follows_the_systems_idea_of_case(windows: bool, kept: dict[str, str]) -> None:
    assert child_environment({"api_key": "x"}, drop=["API_KEY"], windows=windows) == kept


def test_a_change_overrules_a_drop() -> None:
    assert child_environment({"KEY": "old"}, drop=["KEY"], changes={"KEY": "new"}) == {"KEY": "new"}
