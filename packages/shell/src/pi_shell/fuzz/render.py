"""Writes a tree as source, in a random one of the spellings that mean it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.fuzz.render_words import WordRenderer
from pi_shell.nodes import (
    AndOr,
    BraceGroup,
    Clause,
    Command,
    Duplicate,
    ForArith,
    ForWords,
    List,
    Pipeline,
    Redirect,
    Redirection,
    Simple,
    Subshell,
)

if TYPE_CHECKING:
    from random import Random


class Renderer:
    """Writes trees that `Programs` made; parsing the text gives the tree back."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.words = WordRenderer(random, self)

    def program(self, tree: List) -> str:
        """The whole command line, with blank space around it."""
        return (
            self._blank()
            + self.sequence(tree)
            + self.random.choice(("", "", "\n", " # end", ";" if tree.items else ""))
        )

    def sequence(self, tree: List) -> str:
        """A list without a closing separator."""
        text = ""
        for position, item in enumerate(tree.items):
            text += (self._separator() if position else "") + self._and_or(item)
        return text

    def _and_or(self, node: AndOr) -> str:
        text = self._pipeline(node.pipelines[0])
        for operator, pipeline in zip(node.operators, node.pipelines[1:], strict=True):
            text += f"{self._blank()}{operator}{self._line_break()}{self._pipeline(pipeline)}"
        return text

    def _pipeline(self, node: Pipeline) -> str:
        bangs = self.random.choice((1, 1, 1, 3)) if node.negated else self.random.choice((0,) * 20 + (2,))
        text = "".join("!" + self._gap() for _ in range(bangs)) + self._command(node.commands[0])
        for command in node.commands[1:]:
            text += f"{self._blank()}|{self._line_break()}{self._command(command)}"
        return text

    def _command(self, node: Command) -> str:
        match node:
            case Simple():
                return self._simple(node)
            case Subshell(body):
                text = f"({self._gap()}{self.sequence(body)}{self._body_end()})"
            case BraceGroup(body):
                text = f"{{{self._gap()}{self.sequence(body)}{self._separator()}}}"
            case ForWords(name, words, body):
                text = (
                    f"for{self._gap()}{name}{self._for_list([self.words.word(word) for word in words])}{self._do(body)}"
                )
            case ForArith(init, condition, update, body):
                clauses = ";".join(self._clause(clause) for clause in (init, condition, update))
                text = f"for{self._gap()}(({clauses})){self.random.choice((self._separator(), ' '))}{self._do(body)}"
            case _:
                raise TypeError(f"{node!r} is none of the contract's commands")
        return text + "".join(self._blank() + item for item in self._redirects(node.redirects))

    def _for_list(self, words: list[str]) -> str:
        if not words and self.random.random() < 0.7:
            return self.random.choice((";" + self._blank(), self._gap(), "\n"))
        start = self.random.choice((self._gap(), "\n"))
        return f"{start}in{''.join(self._gap() + word for word in words)}{self._separator()}"

    def _do(self, body: List) -> str:
        return f"do{self._gap()}{self.sequence(body)}{self._separator()}done"

    def _clause(self, clause: Clause | None) -> str:
        return self._blank(plain=True) if clause is None else self.words.clause(clause.text)

    def _simple(self, node: Simple) -> str:
        words = [self.words.word(word) for word in node.words]
        if not words:
            words = [self._assignment(item.name, self.words.word(item.value)) for item in node.assignments]
        else:
            words[:0] = [self._assignment(item.name, self.words.word(item.value)) for item in node.assignments]
        position = 0
        for redirect in self._redirects(node.redirects):
            position = self.random.randint(position, len(words))
            words.insert(position, redirect)
            position += 1
        text = words[0]
        for word in words[1:]:
            text += self._gap() + word
        return text

    def _assignment(self, name: str, value: str) -> str:
        return f"{name}={value}"

    def _redirects(self, nodes: tuple[Redirection, ...]) -> list[str]:
        texts: list[str] = []
        for node in nodes:
            match node:
                case Duplicate(fd, source):
                    texts.append(f"{self._fd(fd, 1)}>&{self._blank(plain=True)}{source}")
                case Redirect(fd, operator, target):
                    default = 0 if operator == "<" else 1
                    texts.append(f"{self._fd(fd, default)}{operator}{self._blank()}{self.words.word(target)}")
        return [" " + text for text in texts]

    def _fd(self, fd: int, default: int) -> str:
        return "" if fd == default and (fd == 0 or self.random.random() < 0.7) else str(fd)

    def _gap(self) -> str:
        return self.random.choice((" ", " ", " ", "  ", "\t", " \\\n", "\\\n "))

    def _blank(self, *, plain: bool = False) -> str:
        return self.random.choice(("", "", " ") if plain else ("", "", " ", "\t", " \\\n"))

    def _line_break(self) -> str:
        return self.random.choice(("", " ", " ", "\n", " # why\n  "))

    def _separator(self) -> str:
        return self.random.choice((";", "; ", " ;", "\n", "\n\n ", " # note\n", ";\n"))

    def _body_end(self) -> str:
        return self.random.choice(("", " ", ";", "\n"))
