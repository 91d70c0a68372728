"""The tree of an arithmetic expression. Chains of one precedence are flat, so long sums do not nest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, already wrapped to 64 bits."""

    value: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its value is itself an expression; unset or empty is 0."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """`+ - ! ~` before an operand."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Step:
    """`++` or `--` before (`prefix`) or behind a variable."""

    operator: str
    name: str
    prefix: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Left-associative operators of one precedence: `first op operand op operand …`."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Logical:
    """`&&` or `||` over two or more operands, evaluated only as far as needed."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """`base ** exponent`."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? then : otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Assign:
    """`name = value`, or `name op= value` when `operator` is not empty."""

    name: str
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Sequence:
    """`first, second, …`: the value is the last one's."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Malformed:
    """An expression that cannot be evaluated, and why."""

    text: str
    reason: str


Expression: TypeAlias = (
    Number | Variable | Unary | Step | Chain | Logical | Power | Conditional | Assign | Sequence | Malformed
)
