"""Random trees of the contract's grammar, in the normal form that the parser makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.arithmetic import parse_arithmetic
from pi_shell.fuzz.words import Words
from pi_shell.nodes import (
    AndOr,
    Assignment,
    BraceGroup,
    ChainOperator,
    Clause,
    Command,
    Duplicate,
    ForArith,
    ForWords,
    List,
    Pipeline,
    Quoted,
    Redirect,
    Redirection,
    Simple,
    Subshell,
    Word,
)

if TYPE_CHECKING:
    from random import Random

NAMES = ("i", "x", "NAME", "_v1")
CLAUSES = ("i=0", "i<3", "i++", " i += 2, j-- ", "1", "x ? y : (z)", "i <= 10 && !j", "08", "*")
CHAIN: tuple[ChainOperator, ...] = ("&&", "||")


class Programs:
    """Makes random trees; `depth` bounds how deep commands nest in each other."""

    def __init__(self, random: Random, depth: int = 2) -> None:
        self.random = random
        self.depth = depth
        self.words = Words(random, self)

    def program(self) -> List:
        """A whole command line."""
        return self.sequence(self.random.choice((1, 1, 1, 1, 2)))

    def sequence(self, length: int) -> List:
        """A list of so many and-or chains."""
        return List(tuple(self._and_or() for _ in range(length)))

    def substitution(self) -> List:
        """The body of a command substitution, sometimes empty."""
        return self.nested(0 if self.random.random() < 0.05 else 1)

    def nested(self, length: int) -> List:
        """A list one level deeper."""
        self.depth -= 1
        body = self.sequence(length)
        self.depth += 1
        return body

    def _and_or(self) -> AndOr:
        length = self.random.choice((1, 1, 1, 1, 2, 3))
        operators = tuple(self.random.choice(CHAIN) for _ in range(length - 1))
        return AndOr(tuple(self._pipeline() for _ in range(length)), operators)

    def _pipeline(self) -> Pipeline:
        length = self.random.choice((1, 1, 1, 1, 2, 3))
        return Pipeline(tuple(self._command() for _ in range(length)), self.random.random() < 0.1)

    def _command(self) -> Command:
        if self.depth <= 0 or self.random.random() < 0.75:
            return self._simple()
        body = self.nested(self.random.choice((1, 1, 2)))
        redirects = self._redirects(0.2)
        kind = self.random.choice((Subshell, BraceGroup, ForWords, ForArith))
        if kind is ForWords:
            return ForWords(self.random.choice(NAMES), self._words(), body, redirects)
        if kind is ForArith:
            return ForArith(self._clause(), self._clause(), self._clause(), body, redirects)
        return Subshell(body, redirects) if kind is Subshell else BraceGroup(body, redirects)

    def _simple(self) -> Simple:
        assignments = tuple(self._assignment() for _ in range(self.random.choice((0, 0, 0, 0, 1, 2))))
        if assignments and self.random.random() < 0.4:
            return Simple(assignments, (), self._redirects(0.2))
        return Simple(assignments, (self.words.command_word(), *self._words()), self._redirects(0.3))

    def _words(self) -> tuple[Word, ...]:
        return tuple(self.words.word() for _ in range(self.random.choice((0, 1, 1, 2))))

    def _assignment(self) -> Assignment:
        return Assignment(self.random.choice(NAMES), self.words.value())

    def _redirects(self, chance: float) -> tuple[Redirection, ...]:
        if self.random.random() > chance:
            return ()
        return tuple(self._redirect() for _ in range(self.random.choice((1, 1, 2))))

    def _redirect(self) -> Redirection:
        fd = self.random.choice((1, 2))
        match self.random.randrange(4):
            case 0:
                return Duplicate(fd, self.random.choice((1, 2)))
            case 1:
                return Redirect(0, "<", self.words.word())
            case 2:
                return Redirect(fd, ">>", self.words.word())
            case _:
                return Redirect(fd, ">", self.words.word())

    def _clause(self) -> Clause | None:
        if self.random.random() < 0.2:
            return None
        text = self.random.choice(CLAUSES)
        if self.random.random() < 0.2:
            return Clause(Word((Quoted(text + "+"), self.words.parameter(quoted=True))), None)
        return Clause(Word((Quoted(text),)), parse_arithmetic(text))
