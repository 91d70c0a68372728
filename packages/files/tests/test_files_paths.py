"""What path arguments mean, on either flavour of path."""

import tomllib
import unicodedata
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from pi_files.errors import BadPath
from pi_files.paths import resolve, resolve_existing, resolve_target, show, showable

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("files_paths.toml").read_text("utf-8"))
CWD = {"posix": PurePosixPath("/w"), "windows": PureWindowsPath("D:\\w")}
HOME = {"posix": PurePosixPath("/home/u"), "windows": PureWindowsPath("C:\\Users\\u")}
CASES = [(flavour, case["argument"], case["path"]) for flavour in ("posix", "windows") for case in TABLE[flavour]]


@pytest.mark.parametrize(("flavour", "argument", "path"), CASES)
def test_an_argument_means(flavour: str, argument: str, path: str) -> None:
    assert str(resolve(argument, CWD[flavour], HOME[flavour])) == path


@pytest.mark.parametrize("case", TABLE["refused"], ids=lambda case: repr(case["argument"]))
def test_an_argument_that_can_name_nothing_is_refused(case: dict[str, str]) -> None:
    with pytest.raises(BadPath) as raised:
        resolve(case["argument"], CWD[case["flavour"]], HOME[case["flavour"]])
    assert case["because"] in str(raised.value)


@pytest.mark.parametrize(
    ("argument", "on_disk"),
    [
        ("@scope/a.ts", "@scope/a.ts"),
        ("Screenshot 2026-01-02 at 3.04.05 PM.png", "Screenshot 2026-01-02 at 3.04.05\u202fPM.png"),
        ("at 9 a.m. x", "at 9\u202fa.m. x"),
        ("caf\u00e9.txt", unicodedata.normalize("NFD", "caf\u00e9.txt")),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("don't.md", "don\u2019t.md"),
        ("l'\u00e9t\u00e9", unicodedata.normalize("NFD", "l\u2019\u00e9t\u00e9")),
        ("a\u00a0b", "a\u00a0b"),
        ("plain", "plain"),
    ],
)
def test_an_existing_file_is_found_under_the_spelling_it_has(argument: str, on_disk: str) -> None:
    there = {PurePosixPath("/w") / on_disk}
    assert resolve_existing(argument, CWD["posix"], HOME["posix"], there.__contains__) in there


def test_the_plain_spelling_wins_where_both_exist_and_where_none_does() -> None:
    plain, curly = PurePosixPath("/w/don't"), PurePosixPath("/w/don\u2019t")
    for there in ({plain, curly}, set[PurePath]()):
        assert resolve_existing("don't", CWD["posix"], HOME["posix"], there.__contains__) == plain


@pytest.mark.parametrize(
    ("there", "path"),
    [
        (set[str](), "/w/scope/a.ts"),
        ({"/w/@scope"}, "/w/@scope/a.ts"),
        ({"/w/@scope", "/w/scope"}, "/w/scope/a.ts"),
        ({"/w/@scope", "/w/scope", "/w/@scope/a.ts"}, "/w/@scope/a.ts"),
    ],
)
def test_a_new_file_keeps_its_at_sign_where_its_folder_has_one(there: set[str], path: str) -> None:
    found = resolve_target("@scope/a.ts", CWD["posix"], HOME["posix"], lambda candidate: str(candidate) in there)
    assert str(found) == path


@pytest.mark.parametrize(
    ("path", "cwd", "shown"),
    [
        (PurePosixPath("/w/a/b"), CWD["posix"], "a/b"),
        (PurePosixPath("/x/b"), CWD["posix"], "/x/b"),
        (PureWindowsPath("D:\\w\\a\\b"), CWD["windows"], "a/b"),
        (PureWindowsPath("d:\\W\\a"), CWD["windows"], "a"),
        (PureWindowsPath("C:\\x"), CWD["windows"], "C:\\x"),
    ],
)
def test_paths_are_shown_short_where_they_are_near(path: PurePath, cwd: PurePath, shown: str) -> None:
    assert show(path, cwd) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain \u00e9 \U0001f600", "plain \u00e9 \U0001f600"),
        ("two\nlines\ttab\x7f", "two\\nlines\\ttab\\x7f"),
        ("undecodable \udcff", "undecodable \\xff"),
        ("half \ud83d", "half \\ud83d"),
        ("narrow\u202fspace", "narrow\u202fspace"),
    ],
)
def test_any_name_can_be_sent(name: str, shown: str) -> None:
    assert showable(name) == shown
    showable(name).encode("utf-8")
