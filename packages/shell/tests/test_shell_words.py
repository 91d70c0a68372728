"""Words: what they stand for without expansion, Windows paths, and where they stand in the source."""

from __future__ import annotations

from typing import Any

import pytest
from pi_shell import Refusal, constant, has_glob, parse, split_assignment
from pi_shell.nodes import CommandSub, Quoted, Raw, Simple, Tilde, Word


def words(source: str, *, windows_paths: bool = False) -> tuple[Word, ...]:
    command = parse(source, windows_paths=windows_paths).items[0].pipelines[0].commands[0]
    assert isinstance(command, Simple)
    return command.words


def value(source: str, *, windows_paths: bool) -> str:
    """The text of the single word `source` after quote removal, globs and all."""
    (word,) = words(f"echo {source}", windows_paths=windows_paths)[1:]
    return "".join(
        "".join(inner.text for inner in getattr(segment, "segments", (segment,))) for segment in word.segments
    )


@pytest.mark.cases("shell_windows_paths.toml")
def test_windows_paths_keep_their_backslashes(case: dict[str, Any]) -> None:
    assert value(case["source"], windows_paths=True) == case["windows"]
    if "posix" in case:
        assert value(case["source"], windows_paths=False) == case["posix"]


def test_globs_stay_live_in_a_windows_path() -> None:
    (word,) = words("ls C:\\src\\*.py", windows_paths=True)[1:]
    assert word.segments == (Raw("C:\\src\\*.py"),)
    assert has_glob(word)


def test_expansions_stay_live_in_a_windows_path() -> None:
    (word,) = words("ls C:\\a\\$(b)\\'c d'", windows_paths=True)[1:]
    first, second, third, fourth = word.segments
    assert (first, third, fourth) == (Raw("C:\\a\\"), Raw("\\"), Quoted("c d"))
    assert isinstance(second, CommandSub)


def test_a_windows_home_path() -> None:
    (word,) = words("ls ~\\docs", windows_paths=True)[1:]
    assert word.segments == (Tilde(), Raw("\\docs"))


def test_a_windows_path_ends_at_a_blank_although_a_backslash_stands_before_it() -> None:
    assert [constant(word) for word in words("dir C:\\ D:\\", windows_paths=True)] == ["dir", "C:\\", "D:\\"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("abc", "abc"),
        ("a'b c'\"d\"$'\\t'\\e", "a'b c".replace("'", "") + "d\te"),
        ("''", ""),
        ("[", "["),
        ("a[b", "a[b"),
        ("'*'", "*"),
        ("*", None),
        ("a?", None),
        ("[ab]", None),
        ('["a"]', None),
        ("]a[", "]a["),
        ("$x", None),
        ('"a$x"', None),
        ("~", None),
        ("$(a)", None),
    ],
)
def test_constants(source: str, expected: str | None) -> None:
    assert constant(words(f"echo {source}")[1]) == expected


def test_assignments_among_arguments_are_split_for_export() -> None:
    _, plain, assigned, empty, path = words("export a X=b'c' Y= Z=~/q")
    assert split_assignment(plain) is None
    assignment = split_assignment(assigned)
    assert assignment is not None
    assert (assignment.name, assignment.value) == ("X", Word((Raw("b"), Quoted("c"))))
    assert assignment.value.span == (11, 15)
    assert split_assignment(empty).value == Word(())  # type: ignore[union-attr]
    assert split_assignment(path).value == Word((Tilde(), Raw("/q")))  # type: ignore[union-attr]
    assert split_assignment(Word((Quoted("X=a"),))) is None


def test_spans_point_into_the_source() -> None:
    source = "a  'b c' | d$x\"$(e f)\" > g"
    tree = parse(source)
    first, second = tree.items[0].pipelines[0].commands
    assert source[slice(*first.span)] == "a  'b c'"
    assert source[slice(*second.span)] == 'd$x"$(e f)" > g'
    (word,) = second.words  # type: ignore[attr-defined]
    raw, parameter, quoted = word.segments
    assert [source[slice(*item.span)] for item in (raw, parameter, quoted)] == ["d", "$x", '"$(e f)"']
    inner = quoted.segments[0].body.items[0].pipelines[0].commands[0]
    assert [source[slice(*item.span)] for item in inner.words] == ["e", "f"]
    (redirect,) = second.redirects
    assert source[slice(*redirect.span)] == "> g"


def test_spans_inside_backticks_point_into_the_source_although_escapes_were_removed() -> None:
    source = 'x `a \\`b "\\\\$c"\\` d` e'
    (outer,) = words(source)[1].segments
    assert isinstance(outer, CommandSub)
    assert outer.source == 'a `b "\\$c"` d'
    _, inner_word, last = outer.body.items[0].pipelines[0].commands[0].words  # type: ignore[attr-defined]
    assert source[slice(*last.span)] == "d"
    (inner,) = inner_word.segments
    assert source[slice(*inner.span)] == '\\`b "\\\\$c"\\`'
    assert source[slice(*inner.body.items[0].span)] == 'b "\\\\$c"'


def test_a_refusal_inside_backticks_points_into_the_source() -> None:
    source = "x `a \\`b {1..2}\\``"
    with pytest.raises(Refusal) as caught:
        parse(source)
    assert caught.value.span is not None
    assert source[slice(*caught.value.span)] == "{1..2}"
