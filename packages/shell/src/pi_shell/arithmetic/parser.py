"""Parses arithmetic by bash's precedence."""

from __future__ import annotations

from functools import lru_cache
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
)
from pi_shell.arithmetic.tokens import ArithmeticSyntaxError, Token, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Binary operators, the loosest first."""

PRECEDENCE = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}

ASSIGNMENTS = {"=": "", **{f"{op}=": op for op in ("+", "-", "*", "/", "%", "<<", ">>", "&", "^", "|")}}
MAX_DEPTH = 24
"""Levels of parentheses, conditionals, chained assignments and prefix operators."""


@lru_cache(maxsize=256)
def parse_arithmetic(text: str) -> Expression:
    """The tree of an expression; blank text is 0, and a malformed one is a `Malformed` that `evaluate` reports."""
    try:
        return _Parser(text).parse()
    except ArithmeticSyntaxError as error:
        return Malformed(text, str(error))


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._token = next(self._tokens)
        self._depth = 0

    def parse(self) -> Expression:
        if self._token.kind == "end":
            return Number(0)
        expression = self._sequence()
        if self._token.kind != "end":
            raise ArithmeticSyntaxError(f"{self._token.text} is out of place")
        return expression

    def _advance(self) -> Token:
        token = self._token
        self._token = next(self._tokens, token)
        return token

    def _deeper(self, parse: Callable[[], Expression]) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ArithmeticSyntaxError("the expression is nested too deeply")
        expression = parse()
        self._depth -= 1
        return expression

    def _sequence(self) -> Expression:
        items = [self._assignment()]
        while self._token.kind == ",":
            self._advance()
            items.append(self._assignment())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _assignment(self) -> Expression:
        bare = self._token.kind == "name"
        target = self._conditional()
        if self._token.kind not in ASSIGNMENTS:
            return target
        if not bare or not isinstance(target, Variable):
            raise ArithmeticSyntaxError("only a variable can be assigned to")
        operator = ASSIGNMENTS[self._advance().kind]
        return Assign(target.name, operator, self._deeper(self._assignment))

    def _conditional(self) -> Expression:
        test = self._binary(0)
        if self._token.kind != "?":
            return test
        self._advance()
        then = self._deeper(self._sequence)
        if self._token.kind != ":":
            raise ArithmeticSyntaxError("a : is missing behind ?")
        self._advance()
        return Conditional(test, then, self._deeper(self._conditional))

    def _binary(self, minimum: int) -> Expression:
        """Operators that bind at least as tightly as `minimum`, by precedence climbing."""
        left = self._power()
        while (level := PRECEDENCE.get(self._token.kind, -1)) >= minimum:
            rest: list[tuple[str, Expression]] = []
            while PRECEDENCE.get(self._token.kind) == level:
                operator = self._advance().kind
                rest.append((operator, self._binary(level + 1)))
            left = _joined(left, rest)
        return left

    def _power(self) -> Expression:
        base = self._unary()
        if self._token.kind != "**":
            return base
        self._advance()
        return Power(base, self._deeper(self._power))

    def _unary(self) -> Expression:
        if self._token.kind in ("+", "-", "!", "~"):
            operator = self._advance().kind
            return Unary(operator, self._deeper(self._unary))
        return self._operand()

    def _operand(self) -> Expression:
        token = self._advance()
        if token.kind == "number":
            return Number(token.value)
        if token.kind == "pre":
            return Step(token.text, self._name(), prefix=True)
        if token.kind == "name":
            if self._token.kind == "post":
                return Step(self._advance().text, token.text, prefix=False)
            return Variable(token.text)
        if token.kind == "(":
            inner = self._deeper(self._sequence)
            if self._token.kind != ")":
                raise ArithmeticSyntaxError("a ) is missing")
            self._advance()
            return inner
        raise ArithmeticSyntaxError(f"an operand is missing {f'before {token.text}' if token.text else 'at the end'}")

    def _name(self) -> str:
        return self._advance().text


def _joined(first: Expression, rest: list[tuple[str, Expression]]) -> Expression:
    operator = rest[0][0]
    if operator in ("&&", "||"):
        return Logical(operator, (first, *(operand for _, operand in rest)))
    return Chain(first, tuple(rest))
