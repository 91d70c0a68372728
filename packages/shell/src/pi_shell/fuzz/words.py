"""Random words in the parser's normal form: no two neighbours of plain text of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.nodes import (
    CommandSub,
    DoubleQuoted,
    Parameter,
    ParameterOperator,
    Quoted,
    Raw,
    Segment,
    Tilde,
    Word,
)

if TYPE_CHECKING:
    from random import Random

    from pi_shell.fuzz.programs import Programs

COMMANDS = ("echo", "ls", "git", "printf", "./tool", "foo-bar", "cat", "[", "C:/x/y.exe", "été")
PLAIN = (
    "a",
    "foo",
    "x.txt",
    "*.py",
    "?",
    "[a-c]*",
    "-n",
    "--opt=1",
    "./d/e",
    "{}",
    "a:b",
    "é",
    "@",
    "!",
    "]",
    "a#b",
    "1",
)
VALUES = ("a", "foo", "x.txt", "*.py", "{a,b}", "1", "a=b", "/bin", "é")
ARGUMENTS = ("a", "two words", "*.py", "a;b|c", "(x) & #y", "{a,b", "> <", "\n", "=")
QUOTED = (
    "a",
    "",
    " ",
    "it's",
    '"',
    "$x",
    "`",
    "\\",
    "a b",
    "\n",
    "#",
    "{a,b}",
    "*",
    "~",
    "é\t",
    "}",
    "$",
    "\x01",
    "\udcff",
    "!",
)
IN_BRACES = tuple(text for text in QUOTED if "'" not in text)
NAMES = ("x", "HOME", "_v1", "Path")
OPERATORS: tuple[ParameterOperator, ...] = (":-", ":=", ":+", ":?")


class Words:
    """Makes random words; substitutions in them come from `programs`."""

    def __init__(self, random: Random, programs: Programs) -> None:
        self.random = random
        self.programs = programs

    def command_word(self) -> Word:
        """A word that may be a command: plain and not refused, or built of quotes and expansions."""
        if self.random.random() < 0.9:
            return Word((Raw(self.random.choice(COMMANDS)),))
        return Word((self._double_quoted(), *self._segments(PLAIN)))

    def word(self) -> Word:
        """A word for an argument, a redirection or a list."""
        if self.random.random() < 0.05:
            rest = (Raw("/" + self.random.choice(("a", "b.c"))),) if self.random.random() < 0.5 else ()
            return Word((Tilde(), *rest))
        return Word(self._segments(PLAIN) or (Raw("w"),))

    def value(self) -> Word:
        """The value of an assignment; it may be empty."""
        return Word(() if self.random.random() < 0.1 else self._segments(VALUES))

    def parameter(self, *, quoted: bool) -> Parameter:
        """A parameter expansion in any of its forms."""
        name = self.random.choice(NAMES)
        form = self.random.randrange(8)
        if form == 0:
            return Parameter("?")
        if form == 1:
            return Parameter(name, "#")
        if form > 3 or self.programs.depth <= 0:
            return Parameter(name)
        self.programs.depth -= 1
        segments = self._quoted_segments(IN_BRACES) if quoted else self._segments(ARGUMENTS)
        self.programs.depth += 1
        return Parameter(name, self.random.choice(OPERATORS), Word(segments))

    def _segments(self, plain: tuple[str, ...]) -> tuple[Segment, ...]:
        """Segments in an unquoted place."""
        segments: list[Segment] = []
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            segment = self._segment(plain)
            if not segments or not (isinstance(segment, Raw | Quoted) and type(segment) is type(segments[-1])):
                segments.append(segment)
        return tuple(segments)

    def _segment(self, plain: tuple[str, ...]) -> Segment:
        match self.random.randrange(16):
            case 0 | 1 | 2 | 3 | 4 | 5:
                return Raw(self.random.choice(plain))
            case 6 | 7 | 8 | 9:
                return Quoted("".join(self.random.choice(QUOTED) for _ in range(self.random.choice((1, 1, 2)))))
            case 10 | 11 | 12:
                return self._double_quoted()
            case 13 | 14:
                return self.parameter(quoted=False)
            case _:
                return self._substitution() or Raw("s")

    def _double_quoted(self) -> DoubleQuoted:
        return DoubleQuoted(self._quoted_segments(QUOTED))

    def _quoted_segments(self, texts: tuple[str, ...]) -> tuple[Segment, ...]:
        """Segments inside double quotes: plain text is quoted and never empty."""
        segments: list[Segment] = []
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            choice = self.random.randrange(8)
            text = self.random.choice(texts)
            if choice < 4 and text and not (segments and isinstance(segments[-1], Quoted)):
                segments.append(Quoted(text))
            elif choice < 7:
                segments.append(self.parameter(quoted=True))
            elif substitution := self._substitution():
                segments.append(substitution)
        return tuple(segments)

    def _substitution(self) -> CommandSub | None:
        return CommandSub(self.programs.substitution()) if self.programs.depth > 0 else None
