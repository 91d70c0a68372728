"""Parsing takes time in proportion to the text: ten times the input takes no more than twelve times as long."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import thread_time
from timeit import Timer

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
SMALL, LARGE, RATIO = 500, 5_000, 12
ROUNDS = 25
"""Measured until the ratio holds; the least time of each size counts, so a busy machine costs rounds, not truth."""

UNMEASURABLE = 0.0002
"""Seconds below which a time says nothing about growth."""


@pytest.mark.skipif(sys.platform == "win32", reason="the thread clock of Windows is too coarse to compare short times")
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_time_is_linear(shape: Callable[[int], str]) -> None:
    small, large = shape(SMALL), shape(LARGE)
    least_small = least_large = float("inf")
    for _ in range(ROUNDS):
        least_small = min(least_small, cost(small))
        least_large = min(least_large, cost(large))
        if least_large <= RATIO * max(least_small, UNMEASURABLE):
            return
    raise AssertionError(f"ten times the input took {least_large / least_small:.1f} times as long")


def cost(source: str) -> float:
    """Seconds of this thread, with the collector off as `timeit` has it."""
    return Timer(lambda: outcome(source), timer=thread_time).timeit(1)


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
