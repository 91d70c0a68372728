"""Reading flags as GNU commands do: clusters, attached values, `--`, flags after operands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_shell_engine.builtins.interface import BuiltinIO, Entry


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one command.

    `switches` and `valued` are letters. `number` is the valued flag that `-12` stands for (head, tail). With
    `permute` flags may follow operands, as everywhere in GNU but in commands that run another.
    """

    switches: str = ""
    valued: str = ""
    number: str = ""
    permute: bool = True

    def read(self, io: BuiltinIO) -> Parsed:
        """Sort the words of a command into flags and operands; raises the refusal of an unknown flag."""
        parsed = self._sort(io.entry, list(io.argv))
        return Parsed(parsed.given, parsed.values, [word for word in parsed.words if word is not None])

    def check(self, entry: Entry, words: Sequence[str | None]) -> Sorted:
        """As `read`, on words some of which are not known yet; nothing is said of what follows an unknown one."""
        return self._sort(entry, list(words))

    def _sort(self, entry: Entry, words: list[str | None]) -> Sorted:
        found = Sorted()
        rest = words[1:]
        while rest:
            word = rest.pop(0)
            if word is None:
                found.certain = False
                found.words += [word, *rest]
                break
            if word == "--":
                found.words += rest
                break
            if word == "-" or not word.startswith("-"):
                found.words.append(word)
                if not self.permute:
                    found.words += rest
                    break
                continue
            self._take(entry, word, rest, found)
        return found

    def _take(self, entry: Entry, word: str, rest: list[str | None], found: Sorted) -> None:
        if word.startswith("--"):
            raise entry.unsupported(word)
        if self.number and word[1:].isdigit():
            found.values[self.number] = word[1:]
            return
        for at, letter in enumerate(word[1:], 1):
            if letter in self.valued:
                attached = word[at + 1 :]
                if not attached and not rest:
                    raise entry.unsupported(f"-{letter} without a value")
                # Taken out first: the order of values is that of their last flags.
                found.values.pop(letter, None)
                found.values[letter] = attached or rest.pop(0)
                return
            if letter not in self.switches:
                raise entry.unsupported(f"-{letter}")
            found.given += letter


@dataclass(slots=True)
class Sorted:
    """Words sorted into flags and others; a word or value that is not known yet is `None`, and `certain` false."""

    given: str = ""
    values: dict[str, str | None] = field(default_factory=dict)
    words: list[str | None] = field(default_factory=list)
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Parsed:
    """The flags that were given, in order and as often as they were, the values of valued ones, and the operands."""

    given: str
    values: dict[str, str | None]
    operands: list[str]

    def __contains__(self, letter: str) -> bool:
        return letter in self.given

    def value(self, letter: str) -> str | None:
        """The last value given to a flag."""
        return self.values.get(letter)
