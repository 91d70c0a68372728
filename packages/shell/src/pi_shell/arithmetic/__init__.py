"""Arithmetic of `for ((…))` headers: parsed to a tree, evaluated with bash's signed 64-bit semantics."""

from pi_shell.arithmetic.evaluator import ArithmeticFault, evaluate
from pi_shell.arithmetic.parser import parse_arithmetic

__all__ = ["ArithmeticFault", "evaluate", "parse_arithmetic"]
