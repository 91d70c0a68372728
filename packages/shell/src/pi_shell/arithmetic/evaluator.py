"""Evaluates arithmetic trees over a mapping of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.arithmetic.nodes import (
    Assign,
    Chain,
    Conditional,
    Expression,
    Logical,
    Malformed,
    Number,
    Power,
    Sequence,
    Step,
    Unary,
    Variable,
)  # fmt: skip
from pi_shell.arithmetic.parser import parse_arithmetic
from pi_shell.arithmetic.tokens import wrap
from pi_shell.refusals import shown

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

MAX_DEPTH = 120
"""Nested evaluations, through operators and through variables whose values are expressions."""


class ArithmeticFault(ValueError):
    """An expression without a value: malformed, division by zero, a bad shift or exponent. The status is 1."""


def evaluate(expression: Expression, variables: MutableMapping[str, str]) -> int:
    """The value of `expression` as a signed 64-bit integer; assignments are stored in `variables` as decimal text.

    Raises `ArithmeticFault` with a bounded, one-line reason; assignments made before the fault remain.
    """
    return _Evaluation(variables).value(expression)


class _Evaluation:
    def __init__(self, variables: MutableMapping[str, str]) -> None:
        self._variables = variables
        self._depth = 0

    def value(self, expression: Expression) -> int:
        if isinstance(expression, Number):
            return expression.value
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ArithmeticFault("arithmetic: expressions and variables refer to each other too deeply")
        result = self._evaluate(expression)
        self._depth -= 1
        return result

    def _evaluate(self, expression: Expression) -> int:
        match expression:
            case Number(value):
                return value
            case Variable(name):
                return self._variable(name)
            case Assign(name, operator, operand):
                return self._assign(name, operator, operand)
            case Step(operator, name, prefix):
                return self._step(operator, name, prefix=prefix)
            case Malformed(text, reason):
                raise ArithmeticFault(f"arithmetic: {shown(text.strip())}: {shown(reason)}")
            case _:
                return self._operation(expression)

    def _operation(self, expression: Unary | Chain | Logical | Power | Conditional | Sequence) -> int:
        match expression:
            case Chain(first, rest):
                result = self.value(first)
                for operator, operand in rest:
                    result = apply(operator, result, self.value(operand))
                return result
            case Unary(operator, operand):
                return UNARY[operator](self.value(operand))
            case Logical("&&", operands):
                return int(all(self.value(operand) for operand in operands))
            case Logical(_, operands):
                return int(any(self.value(operand) for operand in operands))
            case Power(base, exponent):
                return _power(self.value(base), self.value(exponent))
            case Conditional(test, then, otherwise):
                return self.value(then if self.value(test) else otherwise)
            case Sequence(items):
                return [self.value(item) for item in items][-1]

    def _variable(self, name: str) -> int:
        text = self._variables.get(name, "")
        return self.value(parse_arithmetic(text)) if text else 0

    def _assign(self, name: str, operator: str, operand: Expression) -> int:
        before = self._variable(name) if operator else 0
        value = self.value(operand)
        if operator:
            value = apply(operator, before, value)
        self._variables[name] = str(value)
        return value

    def _step(self, operator: str, name: str, *, prefix: bool) -> int:
        before = self._variable(name)
        after = wrap(before + (1 if operator == "++" else -1))
        self._variables[name] = str(after)
        return after if prefix else before


def apply(operator: str, left: int, right: int) -> int:
    """One binary operation on 64-bit integers. Raises `ArithmeticFault`."""
    return BINARY[operator](left, right)


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticFault("arithmetic: division by 0")
    quotient = abs(left) // abs(right)
    return wrap(quotient if (left < 0) == (right < 0) else -quotient)


def _remainder(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticFault("arithmetic: division by 0")
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ArithmeticFault("arithmetic: the exponent is less than 0")
    return wrap(pow(base, exponent, 1 << 64))


def _shift(right: int) -> int:
    if not 0 <= right <= 63:
        raise ArithmeticFault("arithmetic: the shift count is not between 0 and 63")
    return right


UNARY: dict[str, Callable[[int], int]] = {
    "+": lambda value: value,
    "-": lambda value: wrap(-value),
    "!": lambda value: int(value == 0),
    "~": lambda value: ~value,
}
BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: wrap(left + right),
    "-": lambda left, right: wrap(left - right),
    "*": lambda left, right: wrap(left * right),
    "/": _divide,
    "%": _remainder,
    "<<": lambda left, right: wrap(left << _shift(right)),
    ">>": lambda left, right: left >> _shift(right),
    "&": lambda left, right: left & right,
    "^": lambda left, right: left ^ right,
    "|": lambda left, right: left | right,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    ">": lambda left, right: int(left > right),
    "<=": lambda left, right: int(left <= right),
    ">=": lambda left, right: int(left >= right),
}
