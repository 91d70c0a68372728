"""The clauses of ordinary counting loops (`i=0`, `i<n`, `i++`), made ready once instead of walked every round.

Everything else, and every variable that does not hold a plain decimal number, goes to the arithmetic evaluator itself.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from pi_shell.arithmetic import evaluate
from pi_shell.arithmetic.nodes import Chain, Number, Step, Variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pi_shell.arithmetic.nodes import Expression

    from pi_shell_engine.engine.environment import Variables

COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
DIGITS = 18
"""Numbers of at most so many digits stay inside 64 bits when 1 is added."""


def prepared(expression: Expression) -> Callable[[Variables], int]:
    """A function that gives the value of `expression`. It raises `ArithmeticFault`."""
    match expression:
        case Chain(Variable(name), [(sign, Number(limit))]) if sign in COMPARE:
            return _comparison(expression, name, COMPARE[sign], limit)
        case Step(sign, name, prefix) if not prefix:
            return _step(expression, name, 1 if sign == "++" else -1)
        case _:
            return lambda variables: evaluate(expression, variables)


def _comparison(
    whole: Expression, name: str, compare: Callable[[int, int], bool], limit: int
) -> Callable[[Variables], int]:
    def compared(variables: Variables) -> int:
        text = variables.get(name, "")
        return compare(int(text), limit) if _is_plain(text) else evaluate(whole, variables)

    return compared


def _step(whole: Expression, name: str, by: int) -> Callable[[Variables], int]:
    def stepped(variables: Variables) -> int:
        text = variables.get(name, "")
        if not _is_plain(text):
            return evaluate(whole, variables)
        before = int(text)
        variables[name] = str(before + by)
        return before

    return stepped


def _is_plain(text: str) -> bool:
    """Whether `text` is a decimal number as it is, not octal and not near the limits."""
    return text.isdecimal() and text.isascii() and len(text) <= DIGITS and (text[0] != "0" or text == "0")
