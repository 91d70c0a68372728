"""The cases of the builtins: those of `builtin_cases.toml`, and generated ones, the same on every system."""

import random
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from builtin_generator import GENERATORS, inputs

HERE = Path(__file__).parent
FILES: dict[str, "bytes | None"] = {
    "a": b"one\ntwo\nthree\n",
    "b": b"b1\nb2",
    "n": b"10\n9\n-3\n2.5\n2.50\nabc\n 7\n\n007\n-0.5\n-.25\n",
    "d/x": b"x\n",
    "d/.h": b"",
    "d/sub/y": b"y\n",
    "hollow": None,
    "e": b"",
    "csv": b"a,b,c\nno delim\n1,,3\n,,\n",
    "bin": b"abc\0def\nabc\xff\n",
    "dup": b"a\na\nB\nb\nb\nc\n",
    "crlf": b"one\r\ntwo\r\nthree\r\n",
    "sp ace": b"s p\n",
    "many": b"".join(b"line %d\n" % number for number in range(1, 41)),
    ".hid": b"",
}
CHANGING = {"rm", "cp", "mv", "mkdir", "touch", "xargs"}
GENERATED = 40
"""Generated cases a builtin."""


@dataclass(frozen=True, slots=True)
class Case:
    """The words of a command and its standard input."""

    argv: tuple[str, ...]
    stdin: bytes = b""

    @property
    def key(self) -> str:
        """What a report and the recorded expectations call it."""
        return f"{shlex.join(self.argv)} < {self.stdin!r}" if self.stdin else shlex.join(self.argv)

    @property
    def changes(self) -> bool:
        """Whether it needs a directory of its own."""
        return self.argv[0] in CHANGING


def written() -> Iterator[Case]:
    """The cases of the table, each with every input of its group."""
    for group in tomllib.loads((HERE / "builtin_cases.toml").read_text("utf-8"))["group"]:
        for line in group["commands"].strip().splitlines():
            for stdin in group.get("inputs", [""]):
                yield Case(tuple(shlex.split(line)), stdin.encode("latin-1"))


def generated(count: int = GENERATED) -> Iterator[Case]:
    """Cases from a fixed seed."""
    for name in GENERATORS:
        source = random.Random(f"builtin {name}")
        for _ in range(count):
            yield drawn(name, source)


def drawn(name: str, source: random.Random) -> Case:
    """One case of a builtin; what makes a word above 127 is a listed divergence of `wc`."""
    words, stdin = GENERATORS[name](source), inputs(source)
    return Case((name, *words), stdin if name != "wc" else bytes(byte & 0x7F for byte in stdin))


@cache
def cases() -> list[Case]:
    """All of them, each once."""
    found = {case.key: case for case in (*written(), *generated())}
    return list(found.values())
