"""Text that is probably not a command line: damaged programs, and soup."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

CHARACTERS = " \n\t;|&<>(){}[]'\"`$\\#!*?~=:,.-+@%^/_ab19é\r\x00\udc80"
OPENINGS = ("$(", "${", "$((", "((", "$'", '$"', "${x:-", "${#", "{ ", "for ((", "[[ ", "a=(", "@(", "<(", "! ")
OPERATORS = ("))", "&&", "||", "|&", ">&", "&>", "2>&1", "<<", "<<<", "\\\n", "; }", "x=", "x+=")
WORDS = ("for ", "in ", "do ", "done", "if ", "then ", "fi", "case ", "while ", "function f", "f() ", "echo ", "env ")
REFUSED = (
    "{a,b}",
    "{1..3}",
    "~root",
    "$1",
    "$@",
    "bash -c ",
    "eval ",
    "exec ",
    "./x.sh ",
    "C:\\",
    "\\\\srv\\",
    "\ud83d",
)
SOUP: tuple[str, ...] = (*CHARACTERS, *OPENINGS, *OPERATORS, *WORDS, *REFUSED)


class Breakage:
    """Damages text and makes soup."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def soup(self, length: int) -> str:
        """So many pieces of shell, put together without sense."""
        return "".join(self.random.choice(SOUP) for _ in range(length))

    def damage(self, text: str) -> str:
        """`text` with one to three cuts, insertions, repetitions or swaps."""
        damaged = text
        for _ in range(self.random.randint(1, 3)):
            damaged = self._once(damaged)
        return damaged

    def _once(self, text: str) -> str:
        start, end = sorted(self.random.randint(0, len(text)) for _ in range(2))
        match self.random.randrange(4):
            case 0:
                end = min(end, start + 4)
                return text[:start] + text[end:]
            case 1:
                return text[:start] + self.random.choice(SOUP) + text[start:]
            case 2:
                return text[:end] + text[start:]
            case _:
                return text[end:] + text[start:end] + text[:start]
