"""The registry of grammar forms: what the parser knows beyond words, pipelines and lists.

The contract's own forms are in `CORE`. A plugin that adds a form (`if`, here-documents) makes a new grammar with
`CORE.extended(…)` and gives it to `parse`; the parser itself stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pi_shell.nodes import Compound, Redirection
    from pi_shell.parser import Parser


class CompoundForm(Protocol):
    """Parses a compound command; the parser stands at its opening word and must stand behind its redirections after."""

    def __call__(self, parser: Parser, /) -> Compound: ...


class RedirectForm(Protocol):
    """Parses a redirection; the parser stands at its operator (`parser.token`) and must stand behind it after."""

    def __call__(self, parser: Parser, /) -> tuple[Redirection, ...]: ...


@dataclass(frozen=True, slots=True)
class Grammar:
    """The forms one parse knows.

    `compounds` are by opening word (`(` and `((` count as words), `redirects` by operator. `closers` are the reserved
    words that end a body and are refused anywhere else. `allowed` are command words that the contract refuses by name
    and an extension implements.
    """

    compounds: Mapping[str, CompoundForm]
    redirects: Mapping[str, RedirectForm]
    closers: frozenset[str]
    allowed: frozenset[str] = field(default_factory=frozenset)

    def extended(
        self,
        *,
        compounds: Mapping[str, CompoundForm] = MappingProxyType({}),
        redirects: Mapping[str, RedirectForm] = MappingProxyType({}),
        closers: frozenset[str] = frozenset(),
        allowed: frozenset[str] = frozenset(),
    ) -> Grammar:
        """This grammar with more forms; one of the same name takes the place of the old."""
        return replace(
            self,
            compounds={**self.compounds, **compounds},
            redirects={**self.redirects, **redirects},
            closers=self.closers | closers,
            allowed=self.allowed | allowed,
        )
