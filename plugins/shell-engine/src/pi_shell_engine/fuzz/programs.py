"""Random command lines that end, stay in their folder, and mean the same to bash."""

from __future__ import annotations

from random import Random

FILES = ("a.txt", "b.txt", "d/c.txt", "out", "missing")
TARGETS = ("out", "new", "d/new", "/dev/null", "nodir/x", "a.txt")
NAMES = ("X", "Y", "Z")
PARAMETERS = (
    "${0}", '"${0}"', "${{{0}}}", "${{{0}:-d e}}", '"${{{0}:-d e}}"', "${{{0}:+s}}", "${{#{0}}}", "$?", "x${0}y",
)  # fmt: skip
TEXTS = ("a", "bc", "1", "two", "x y", "", "-n", "a*", "?.txt", "é", "/", "0")
FILTERS = ("cat", "sort", "wc -l", "head -n 1", "tail -n 1", "grep a", "uniq", "sort -r", "true", "tr a b", "cut -c 1")


class Programs:
    """Makes command lines; `depth` bounds how deep they nest.

    What stands before a `|` touches no file and no standard error: how far it gets depends on when its reader ends.
    """

    def __init__(self, random: Random, depth: int = 2) -> None:
        self.random = random
        self.depth = depth
        self.loops = 0
        self.feeding = 0

    def program(self) -> str:
        """One command line."""
        return self._list(self.random.choice((1, 1, 2)))

    def _pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def _list(self, length: int) -> str:
        return self._pick("; ", "; ", "\n").join(self._and_or() for _ in range(length))

    def _nested(self) -> str:
        self.depth -= 1
        made = self._list(self.random.choice((1, 1, 2)))
        self.depth += 1
        return made

    def _and_or(self) -> str:
        made = self._pipeline()
        for _ in range(self.random.choice((0, 0, 0, 0, 1, 2))):
            made += self._pick(" && ", " || ") + self._pipeline()
        return made

    def _pipeline(self) -> str:
        made = self._pick("", "", "", "", "", "! ")
        length = self.random.choice((1, 1, 1, 1, 2, 3))
        for position in range(length):
            self.feeding += position < length - 1
            filtering = position > 0 and self.random.random() < 0.7
            made += (" | " if position else "") + (self._pick(*FILTERS) if filtering else self._command())
            self.feeding -= position < length - 1
        return made

    def _command(self) -> str:
        if self.depth <= 0 or self.random.random() < 0.6:
            return self._simple() + self._redirects(0.25)
        kind = self.random.randrange(5)
        if kind == 0:
            return f"( {self._outside_loops()})" + self._redirects(0.2)
        if kind == 1:
            return f"{{ {self._nested()}; }}" + self._redirects(0.2)
        return self._loop(kind) + self._redirects(0.2)

    def _outside_loops(self) -> str:
        loops, self.loops = self.loops, 0
        made = self._nested()
        self.loops = loops
        return made

    def _loop(self, kind: int) -> str:
        self.loops += 1
        body = self._nested()
        self.loops -= 1
        if kind == 2:
            name = f"i{self.depth}"
            return f"for (({name}=0; {name}<{self.random.randrange(4)}; {name}++)); do {body}; done"
        words = " ".join(self._word() for _ in range(self.random.randrange(4)))
        return f"for {self._pick(*NAMES)} in {words}; do {body}; done"

    def _simple(self) -> str:
        choice = self.random.random()
        if choice < 0.4:
            return f"echo {self._words()}"
        if choice < 0.55:
            return f"{self._pick(*NAMES)}={self._word()}" + self._pick("", "", f" echo {self._words()}")
        if choice < 0.65:
            return f"cat {self._pick(*FILES[: 2 if self.feeding else 5])}"
        if choice < 0.75:
            return self._pick(
                "true", "false", f"test {self._quoted()} = {self._quoted()}", f"[ -e {self._pick(*FILES)} ]"
            )
        return self._state_command()

    def _state_command(self) -> str:
        if self.loops and self.random.random() < 0.4:
            return self._pick("break", "continue", "break 2", "continue 2")
        if self.feeding:
            return self._pick("pwd", f"printf '%s\\n' {self._words()}", "true", "false")
        return self._pick(
            "cd d",
            "cd ..; cd -",
            "cd missing",
            "pwd",
            f"export {self._pick(*NAMES)}={self._word()}",
            f"unset {self._pick(*NAMES)}",
            f"(exit {self.random.randrange(300)})",
            "nosuchprogram",
            f"printf '%s\\n' {self._words()}",
            f"echo {self._words()} >&2",
            "$X",
            '"$Y"',
        )

    def _words(self) -> str:
        return " ".join(self._word() for _ in range(self.random.randrange(4)))

    def _quoted(self) -> str:
        return '"' + self._pick(f"${self._pick(*NAMES)}", "a", "$?") + '"'

    def _word(self) -> str:
        name = self._pick(*NAMES)
        choice = self.random.randrange(12)
        if choice < 3:
            return "'" + self._pick(*TEXTS) + "'"
        if choice < 5:
            return self._pick("a", "b1", "*.txt", "d/*", "[ab].txt", "?", "a\\ b", "nomatch*", '"a"b')
        if choice == 5 and self.depth > 0:
            return self._pick("$( {0})", '"$( {0})"').format(self._nested())
        forms = (
            "${0}",
            '"${0}"',
            "${{{0}}}",
            "${{{0}:-d e}}",
            '"${{{0}:-d e}}"',
            "${{{0}:+s}}",
            "${{#{0}}}",
            "$?",
            "x${0}y",
        )
        return self._pick(*forms).format(name)

    def _redirects(self, chance: float) -> str:
        if self.random.random() > chance:
            return ""
        if self.feeding:
            return self._pick(" 2>/dev/null", " < /dev/null", f" < {self._pick('a.txt', 'b.txt')}")
        target = self._pick(*TARGETS)
        return self._pick(
            f" > {target}", f" >> {target}", f" 2> {target}", f" 2>> {target}", f" &> {target}", " 2>&1", " >&2",
            f" > {target} 2>&1", f" 2>&1 > {target}", f" < {self._pick(*FILES)}", " 2>/dev/null", " < /dev/null",
        )  # fmt: skip
