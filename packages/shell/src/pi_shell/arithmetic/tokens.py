"""Tokens of an arithmetic expression, with bash's rules for literals and for `++` and `--`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = re.compile(
    r"[ \t\n]*(?:(?P<number>[0-9][0-9A-Za-z#@_]*)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<step>\+\+|--)"
    r"|(?P<operator><<=|>>=|<<|>>|\*\*|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%&^|<>!~=?:,()])"
    r"|(?P<other>[^ \t\n]))"
)
OPERAND_AHEAD = re.compile(r"[ \t\n]*[A-Za-z_]")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
DIGIT_VALUES = {digit: value for value, digit in enumerate(DIGITS)}
MASK = (1 << 64) - 1
SIGN = 1 << 63


class ArithmeticSyntaxError(ValueError):
    """An expression that is not one; the text is the reason."""


class Token(NamedTuple):
    """`kind` is `number`, `name`, `post`, `pre`, an operator's own text, or `end`; `value` is a number's."""

    kind: str
    text: str
    value: int = 0


def wrap(value: int) -> int:
    """`value` as a signed 64-bit integer."""
    value &= MASK
    return value - (1 << 64) if value & SIGN else value


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, closed by one of kind `end`. Raises `ArithmeticSyntaxError`."""
    position, previous = 0, ""
    while match := TOKEN.match(text, position):
        position = match.end()
        kind, written = match.lastgroup or "", match[match.lastgroup or 0]
        token = Token(kind, written)
        if kind == "number":
            token = Token(kind, written, literal(written))
        elif kind == "operator":
            token = Token(written, written)
        elif kind == "step":
            token, position = _step(text, written, position, previous)
        elif kind == "other":
            raise ArithmeticSyntaxError(f"{written} is not an operator or an operand")
        previous = token.kind
        yield token
    yield Token("end", "")


def _step(text: str, written: str, position: int, previous: str) -> tuple[Token, int]:
    """`++` belongs to a variable before it or behind it; elsewhere it is two signs."""
    if previous == "name":
        return Token("post", written), position
    if OPERAND_AHEAD.match(text, position):
        return Token("pre", written), position
    return Token(written[0], written[0]), position - 1


def literal(text: str) -> int:
    """The value of `12`, `0x1f`, `017` or `base#digits`, wrapped to 64 bits. Raises `ArithmeticSyntaxError`."""
    base, digits = 10, text
    if "#" in text:
        head, _, digits = text.partition("#")
        base = _number(head, 10, text)
        if not digits or head.startswith("0") or not 2 <= base <= 64:
            raise ArithmeticSyntaxError(f"{text}: a literal is base#digits with a base from 2 to 64")
    elif text[:2] in ("0x", "0X"):
        base, digits = 16, text[2:]
    elif text.startswith("0"):
        base = 8
    return wrap(_number(digits, base, text))


def _number(digits: str, base: int, text: str) -> int:
    if base <= 36:
        digits = digits.lower()
    value = 0
    for digit in digits:
        weight = DIGIT_VALUES.get(digit, base)
        if weight >= base:
            raise ArithmeticSyntaxError(f"{text}: the digit {digit} is too great for base {base}")
        value = (value * base + weight) & MASK
    return value
