"""The header of an arithmetic `for`: `((init; condition; update))`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.arithmetic import parse_arithmetic
from pi_shell.constants import constant
from pi_shell.nodes import Clause, Quoted, Word
from pi_shell.refusals import refuse
from pi_shell.segments import SegmentBuilder

if TYPE_CHECKING:
    from pi_shell.words import WordScanner

PLAIN = re.compile(r"[^;()\\'\"`$]+")


def arithmetic_header(
    scanner: WordScanner, opening: int, start: int
) -> tuple[tuple[Clause | None, Clause | None, Clause | None], int]:
    """The three clauses behind the `((` that stands at `opening:start`, and the position behind their `))`."""
    scan = _HeaderScan(scanner, opening, start)
    clauses = scan.run()
    if len(clauses) != 3:
        span = scanner.source.span(opening, scan.position)
        raise refuse("malformed-syntax", "for-header", span, text=f"{len(clauses)} clauses instead of 3")
    return (clauses[0], clauses[1], clauses[2]), scan.position


class _HeaderScan:
    def __init__(self, scanner: WordScanner, opening: int, start: int) -> None:
        self.scanner = scanner
        self.opening = opening
        self.position = self.start = start
        self.out = SegmentBuilder(scanner.source)
        self.clauses: list[Clause | None] = []
        self.depth = 0

    def run(self) -> list[Clause | None]:
        text = self.scanner.text
        while True:
            plain = PLAIN.match(text, self.position)
            if plain is not None:
                self._text(plain.end())
            char = text[self.position : self.position + 1]
            if char == "":
                raise self.scanner.unclosed("((…", self.opening, "))")
            if char == ")" and self.depth == 0:
                return self._close()
            self._special(char)

    def _text(self, end: int) -> None:
        self.out.text(Quoted, self.scanner.text[self.position : end], self.position, end)
        self.position = end

    def _special(self, char: str) -> None:
        if char == ";" and self.depth == 0:
            self._finish_clause()
            self.position += 1
            self.start = self.position
        elif char in ";()":
            self.depth += {"(": 1, ")": -1, ";": 0}[char]
            self._text(self.position + 1)
        elif char == "\\" and self.scanner.text.startswith("\\\n", self.position):
            self.position += 2
        elif char in "\\'\"":
            span = self.scanner.source.span(self.position, self.position + 1)
            raise refuse("malformed-syntax", "header-quote", span)
        else:
            self.position = self.scanner.expansion(char, self.position, self.out, quoted=True)

    def _close(self) -> list[Clause | None]:
        self._finish_clause()
        if not self.scanner.text.startswith("))", self.position):
            span = self.scanner.source.span(self.position, self.position + 1)
            raise refuse("malformed-syntax", "for-header", span, text="the header must end with ))")
        self.position += 2
        return self.clauses

    def _finish_clause(self) -> None:
        span = self.scanner.source.span(self.start, self.position)
        word = Word(self.out.finish(), span)
        self.out = SegmentBuilder(self.scanner.source)
        text = constant(word)
        if text is not None and not text.strip():
            self.clauses.append(None)
        else:
            self.clauses.append(Clause(word, parse_arithmetic(text) if text is not None else None, span))
