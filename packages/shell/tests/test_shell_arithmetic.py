"""Arithmetic of for headers: values, faults, and the same answers as bash."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pi_shell import parse
from pi_shell.arithmetic import ArithmeticFault, evaluate, parse_arithmetic
from pi_shell.nodes import ForArith

VARIABLES = {"x": "5", "y": "-3", "z": "", "w": "x + y * 2", "bad": "08", "loop": "loop"}
BINARY = ["+", "-", "*", "/", "%", "**", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^"]
ASSIGN = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]
LEAVES = ("0", "1", "2", "3", "7", "x", "y", "z", "w", "unset", "0x1f", "017", "9223372036854775807", "x++", "--y")
SOUP = (
    *LEAVES,
    *BINARY,
    *ASSIGN,
    "08",
    "16#fF",
    "010#1",
    "1#1",
    "10#",
    "0x",
    "64#@_",
    "++",
    "--",
    "(",
    ")",
    "?",
    ":",
    ",",
    " ",
    "!",
    "~",
)


@pytest.mark.cases("shell_arithmetic.toml")
def test_arithmetic(case: dict[str, Any]) -> None:
    expression = parse_arithmetic(case["source"])
    if "value" in case:
        assert evaluate(expression, dict(VARIABLES)) == case["value"]
        return
    with pytest.raises(ArithmeticFault) as caught:
        evaluate(expression, dict(VARIABLES))
    assert str(caught.value).startswith("arithmetic: ")
    assert case["fault"] in str(caught.value)


def test_assignments_are_stored_as_decimal_text() -> None:
    variables = {"i": "0x10"}
    assert evaluate(parse_arithmetic("i++, j = -i"), variables) == -17
    assert variables == {"i": "17", "j": "-17"}


def test_assignments_before_a_fault_remain() -> None:
    variables: dict[str, str] = {}
    with pytest.raises(ArithmeticFault):
        evaluate(parse_arithmetic("i = 1, j = 1 / 0"), variables)
    assert variables == {"i": "1"}


def test_a_faults_text_is_bounded_and_on_one_line() -> None:
    with pytest.raises(ArithmeticFault) as caught:
        evaluate(parse_arithmetic("1 +\n" + "9 " * 5000), {})
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "text", ["(" * 5000, "- " * 5000 + "1", "1 ? " * 5000, "a=" * 5000 + "1", "2 ** " * 5000 + "1"]
)
def test_deep_expressions_are_faults(text: str) -> None:
    with pytest.raises(ArithmeticFault, match="nested too deeply"):
        evaluate(parse_arithmetic(text), {})


def test_long_expressions_are_not_deep() -> None:
    assert evaluate(parse_arithmetic("1" + " + 1" * 50_000), {}) == 50_001
    assert evaluate(parse_arithmetic("1" + " && 1" * 50_000), {}) == 1
    assert evaluate(parse_arithmetic("1" + ", 2" * 50_000), {}) == 2


def test_variables_that_are_expressions_have_a_limit_too() -> None:
    chain = {f"v{i}": f"v{i + 1} + 1" for i in range(5000)}
    with pytest.raises(ArithmeticFault, match="too deeply"):
        evaluate(parse_arithmetic("v0"), chain)


def test_a_malformed_header_is_parsed_and_fails_when_it_is_evaluated() -> None:
    loop = parse("for ((i = 08; i <; i++)); do a; done").items[0].pipelines[0].commands[0]
    assert isinstance(loop, ForArith)
    for clause, reason in ((loop.init, "too great"), (loop.condition, "operand is missing")):
        assert clause is not None
        assert clause.expression is not None
        with pytest.raises(ArithmeticFault, match=reason):
            evaluate(clause.expression, {})


def test_a_header_with_expansions_is_evaluated_after_they_are_known() -> None:
    loop = parse("for ((i = 0; i < $n; i += ${s:-1})); do a; done").items[0].pipelines[0].commands[0]
    assert isinstance(loop, ForArith)
    assert loop.init is not None
    assert loop.init.expression is not None
    assert loop.condition is not None
    assert loop.condition.expression is None
    assert loop.update is not None
    assert loop.update.expression is None


def test_bash_gives_the_same_answers(run_bash: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    random = Random(5)
    expressions = [expression(random, 3) if i % 2 else soup(random) for i in range(1500)]
    setup = "x=5 y=-3 z= w='x + y * 2'; unset unset"
    lines = [
        f"({setup}; e='{text}'; r=$(( $e )) && echo $r $x $y \"$z\") 2>/dev/null || echo fault" for text in expressions
    ]
    answers = run_bash("\n".join(lines)).stdout.decode().splitlines()
    assert len(answers) == len(expressions)
    different = [
        (text, bash, ours(text)) for text, bash in zip(expressions, answers, strict=True) if bash != ours(text)
    ]
    assert [row for row in different if not tolerated(row[0])] == []


def tolerated(text: str) -> bool:
    """Shifts beyond the word are faults by contract; bash looks at an exponent even where it does not evaluate."""
    return "<<" in text or ">>" in text or ("**" in text and any(op in text for op in ("?", "&&", "||")))


def ours(text: str) -> str:
    variables = {name: VARIABLES[name] for name in "xyzw"}
    try:
        value = evaluate(parse_arithmetic(text), variables)
    except ArithmeticFault:
        return "fault"
    return f"{value} {variables['x']} {variables['y']} {variables['z']}"


def expression(random: Random, depth: int) -> str:
    """A well-formed expression."""
    if depth == 0 or random.random() < 0.25:
        return random.choice(LEAVES)
    left, right = expression(random, depth - 1), expression(random, depth - 1)
    match random.randrange(8):
        case 0:
            return f"({left})"
        case 1:
            return random.choice("+-!~") + " " + left
        case 2:
            return f"{left} ? {right} : {random.choice(LEAVES)}"
        case 3:
            return f"{random.choice('xyz')} {random.choice(ASSIGN)} {right}"
        case _:
            return f"{left} {random.choice(BINARY)} {right}"


def soup(random: Random) -> str:
    return "".join(random.choice(SOUP) for _ in range(random.randint(1, 6)))
