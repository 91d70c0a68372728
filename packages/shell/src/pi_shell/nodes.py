"""The syntax tree that routing, policy, projection and execution share.

Every node is frozen and carries a `span`: offsets into the source text that was parsed. Spans take no part in equality,
so two trees are equal when they mean the same. Text is `str`; bytes that are not UTF-8 (`$'\\xff'`) are lone surrogates
as `surrogateescape` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pi_shell.arithmetic.nodes import Expression


class Span(NamedTuple):
    """A half-open range of offsets (in characters) into the source."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""The span of a node that no source was parsed for."""

ChainOperator: TypeAlias = Literal["&&", "||"]
ParameterOperator: TypeAlias = Literal[":-", ":=", ":+", ":?", "#"]
RedirectOperator: TypeAlias = Literal["<", ">", ">>"]


@dataclass(frozen=True, slots=True)
class Raw:
    """Unquoted text: `* ? [` are live. A backslash in it is a Windows path separator, never an escape."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text that stands for itself: from `'…'`, `\\x` or `$'…'`, decoded, and any text inside double quotes."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DoubleQuoted:
    """`"…"`: its parts are `Quoted`, `Parameter` and `CommandSub`; their values are neither split nor globbed."""

    segments: tuple[Segment, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name`, `${name}` and the five operator forms; `$?` has the name `?`.

    `argument` is the word after `:- := :+ :?` and `None` for the plain form and for `#` (length).
    Inside double quotes the argument's own text is `Quoted`.
    """

    name: str
    operator: ParameterOperator | None = None
    argument: Word | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CommandSub:
    """`$(…)` or backticks: the parsed body and the text between the delimiters (backtick escapes removed)."""

    body: List
    source: str = field(default="", compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Tilde:
    """An unquoted `~` that stands for the home directory."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


Segment: TypeAlias = Raw | Quoted | DoubleQuoted | Parameter | CommandSub | Tilde


@dataclass(frozen=True, slots=True)
class Word:
    """One word as written: what it expands to is the executor's business. A word has at least one segment."""

    segments: tuple[Segment, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value` before a command word. The value is neither split nor globbed; an empty value has no segments."""

    name: str
    value: Word
    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Redirection:
    """What every redirection is. A plugin's own form derives from it, as the built-in ones do."""

    __slots__ = ()
    span: Span


@dataclass(frozen=True, slots=True)
class Redirect(Redirection):
    """`fd < target`, `fd > target` or `fd >> target`; the target must expand to exactly one word."""

    fd: int
    operator: RedirectOperator
    target: Word
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Duplicate(Redirection):
    """`fd >& source`: `fd` becomes what `source` is then. `&> f` is `Redirect(1, ">", f), Duplicate(2, 1)`."""

    fd: int
    source: int
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Simple:
    """Assignments, words and redirections; at least one of the three. Each tuple is in source order."""

    assignments: tuple[Assignment, ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Compound:
    """What every command is that contains a list. A plugin's own form derives from it, as the built-in ones do."""

    __slots__ = ()
    redirects: tuple[Redirection, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Subshell(Compound):
    """`( … )`: runs on a copy of the state."""

    body: List
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BraceGroup(Compound):
    """`{ …; }`: runs on the state itself."""

    body: List
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ForWords(Compound):
    """`for name in words; do …; done`. Without `in` the list is the positional arguments, of which there are none."""

    name: str
    words: tuple[Word, ...]
    body: List
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of an arithmetic `for` header.

    `text` is the clause as a word in which expansions are live as in double quotes. `expression` is its tree when the
    text has no expansion; otherwise expand `text` and give the result to `parse_arithmetic` each time it is evaluated.
    """

    text: Word
    expression: Expression | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ForArith(Compound):
    """`for ((init; condition; update)); do …; done`; `None` is an empty clause, and an empty condition is true."""

    init: Clause | None
    condition: Clause | None
    update: Clause | None
    body: List
    redirects: tuple[Redirection, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Command: TypeAlias = Simple | Compound


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by `|`, at least one; `negated` is an odd number of leading `!`."""

    commands: tuple[Command, ...]
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AndOr:
    """Pipelines joined left to right; `operators[i]` stands between `pipelines[i]` and `pipelines[i + 1]`."""

    pipelines: tuple[Pipeline, ...]
    operators: tuple[ChainOperator, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class List:
    """Commands in sequence; empty for blank input and `$()`."""

    items: tuple[AndOr, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Node: TypeAlias = List | AndOr | Pipeline | Command | Assignment | Redirection | Clause | Word | Segment
