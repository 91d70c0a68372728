"""echo and printf."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell_engine.builtins.escapes import Dialect, expand
from pi_shell_engine.builtins.interface import encode

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO

_CLUSTER = re.compile(r"-[neE]+")


def echo(io: BuiltinIO) -> int:
    """The words, a space between two; `-n` without a line end, `-e` with escapes."""
    words = list(io.argv[1:])
    newline, escapes = True, False
    while words and _CLUSTER.fullmatch(words[0]):
        for letter in words.pop(0)[1:]:
            if letter == "n":
                newline = False
            else:
                escapes = letter == "e"
    data, stop = encode(" ".join(words)), False
    if escapes:
        data, stop = expand(data, Dialect.ECHO)
    io.write(data if stop or not newline else data + b"\n")
    return 0
