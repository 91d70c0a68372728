"""The smallest builtins that a shell can be tried with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.interface import BLOCK, encode, reason
from pi_shell_engine.streams import read

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO


def true(io: BuiltinIO) -> int:
    """Success."""
    return 0


def false(io: BuiltinIO) -> int:
    """Failure."""
    return 1


def echo(io: BuiltinIO) -> int:
    """The words and a line end."""
    words = io.argv[1:]
    newline = words[:1] != ("-n",)
    io.write(encode(" ".join(words if newline else words[1:])) + b"\n" * newline)
    return 0


def cat(io: BuiltinIO) -> int:
    """The bytes of all operands."""
    status = 0
    for operand in io.argv[1:] or ("-",):
        try:
            descriptor = io.stdin if operand == "-" else os.open(io.resolve(operand), os.O_RDONLY)
        except OSError as error:
            io.error(f"{operand}: {reason(error)}")
            status = 1
            continue
        try:
            while block := read(descriptor, BLOCK):
                io.write(block)
        finally:
            if descriptor != io.stdin:
                os.close(descriptor)
    return status
