"""Named refusals: the one way in which anything here fails, and the catalogue of their messages (`refusals.toml`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pi_shell.nodes import Span

SHOWN_LENGTH = 60
"""Characters of the user's own text that a message repeats."""


class Refusal(Exception):
    """A construct outside the contract, by its identifier.

    `id` is one of the contract's identifiers, `message` names the construct and says what to write instead, `span` is
    where in the source it stands (`None` when no source was at hand). Two refusals with equal fields are equal.
    """

    def __init__(self, id: str, message: str, span: Span | None = None) -> None:
        super().__init__(id, message, span)
        self.id = id
        self.message = message
        self.span = span

    def at(self, span: Span) -> Refusal:
        """The same refusal at a place in the source."""
        return Refusal(self.id, self.message, span)

    def __str__(self) -> str:
        return f"{self.id}: {self.message}"

    def __eq__(self, other: object) -> bool:
        return self.args == other.args if isinstance(other, Refusal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.args)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the catalogue; `cases` maps a case's name to a message template."""

    id: str
    construct: str
    when: str
    message: str
    cases: Mapping[str, str]


@cache
def catalogue() -> Mapping[str, Entry]:
    """Every refusal of the contract by its identifier, in the catalogue's order."""
    import tomllib
    from pkgutil import get_data

    rows = tomllib.loads((get_data("pi_shell", "refusals.toml") or b"").decode())
    return {
        id: Entry(id, row["construct"], row["when"], row["message"], row.get("cases", {})) for id, row in rows.items()
    }


def refuse(id: str, case: str = "", span: Span | None = None, **fields: object) -> Refusal:
    """The refusal `id` with the message of its `case`, filled with `fields`; an unknown case has the general message.

    The caller raises it. Raises `KeyError` for an identifier or a field that the catalogue does not know: a fault here.
    """
    entry = catalogue()[id]
    template = entry.cases.get(case, entry.message)
    return Refusal(id, template.format_map({name: shown(str(value)) for name, value in fields.items()}), span)


def shown(text: str) -> str:
    """`text` as a message repeats it: on one line, bounded, printable."""
    if len(text) > SHOWN_LENGTH:
        text = text[:SHOWN_LENGTH] + "…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
