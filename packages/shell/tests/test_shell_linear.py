"""Parsing takes time in proportion to the text: ten times the input takes no more than twelve times as long."""

from __future__ import annotations

from collections.abc import Callable
from timeit import repeat

import pytest
from pi_shell import Refusal, parse

SHAPES: dict[str, Callable[[int], str]] = {
    "words": lambda n: "echo " + "a " * n,
    "list": lambda n: "echo a; " * n,
    "lines": lambda n: "a\n" * n,
    "pipeline": lambda n: "a" + " | b" * n,
    "chain": lambda n: "a" + " && b" * n,
    "segments": lambda n: "echo " + "a'b'" * n,
    "path": lambda n: "cat C:" + "\\dir" * n,
    "escapes": lambda n: "echo " + "\\a" * n,
    "double quotes": lambda n: 'echo "' + "$x\\y" * n + '"',
    "substitutions": lambda n: "echo " + "$(a) " * n,
    "backticks": lambda n: "echo " + "`a\\\\b` " * n,
    "long backticks": lambda n: "echo `a " + "\\$x " * n + "`",
    "subshells": lambda n: "( a );" * n,
    "double subshells": lambda n: "((a) );" * n,
    "open parentheses": lambda n: "(" * n,
    "open substitutions": lambda n: "$(" * n,
    "open braces": lambda n: "echo " + "{," * n,
    "closed braces": lambda n: "echo {." + "}" * n,
    "brace pairs": lambda n: "echo " + "{a}" * n,
    "quotes that never close": lambda n: "echo " + "'a'" * n + '"',
    "parameters": lambda n: "echo " + "${a:-b}" * n,
    "argument": lambda n: "echo ${a:-" + "b'c'\\}<" * n + "}",
    "continuations": lambda n: "echo " + "\\\n" * n + "a",
    "comment": lambda n: "#" * n,
    "tildes": lambda n: "x=" + ":~/a" * n,
    "redirections": lambda n: "a " + ">b " * n,
    "assignments": lambda n: "a=b " * n,
    "arithmetic": lambda n: "for ((" + "1+" * n + "1;;)); do a; done",
    "digits": lambda n: "echo " + "1" * n,
    "unfinished UNC path": lambda n: "echo x=\\\\" + "a" * n + '"' + "\\" * n,
    "dollars": lambda n: "echo " + "$. " * n,
    "brackets": lambda n: "a[" * n,
}
SMALL, LARGE, RATIO = 1_000, 10_000, 12


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_time_is_linear(shape: Callable[[int], str]) -> None:
    small, large = shape(SMALL), shape(LARGE)
    for _ in range(5):
        ratio = cost(large) / max(cost(small), 1e-5)
        if ratio <= RATIO:
            return
    raise AssertionError(f"ten times the input took {ratio:.1f} times as long")


def cost(source: str) -> float:
    """Seconds of the fastest of three runs, with the collector off as `timeit` has it."""
    return min(repeat(lambda: outcome(source), number=1, repeat=3))


def outcome(source: str) -> str:
    try:
        parse(source, windows_paths=True)
    except Refusal as refusal:
        return refusal.id
    return "parsed"


def test_a_word_of_twenty_thousand_segments() -> None:
    (_, word) = parse("echo " + "a'b'" * 10_000).items[0].pipelines[0].commands[0].words  # type: ignore[attr-defined]
    assert len(word.segments) == 20_000


def test_a_megabyte() -> None:
    assert outcome("echo '" + "x" * 1_000_000 + "'") == "parsed"
    assert outcome("echo " + "x" * 1_000_000 + '"') == "malformed-syntax"
    assert len(parse("echo abc def\n" * 20_000).items) == 20_000
