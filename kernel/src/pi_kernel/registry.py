"""What plugins registered, by kind and name, each with its plugin; a plugin's whole share can be taken back."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """A kind of registered value.

    `key` gives a value's name. `hook` is the hook asked for values the first time the kind is asked for (empty: only
    `pi_register` gives them). Of several values of one name the first wins, or the last when `last_wins`.
    """

    name: str
    key: Callable[[T], str]
    hook: str = ""
    last_wins: bool = False


@dataclass(frozen=True, slots=True)
class Registered(Generic[T]):
    """A value, the name it goes by and the plugin that registered it."""

    name: str
    value: T
    plugin: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two plugins gave a value of the same kind and name; `winner` is the one in force."""

    kind: str
    name: str
    winner: str
    loser: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r} of plugin {self.loser!r} is hidden by the one of {self.winner!r}"


class Registry:
    """All registered values. Order is registration order; names are unique per kind as seen through `all` and `get`."""

    def __init__(self) -> None:
        self._values: dict[str, list[Registered[Any]]] = {}

    def add(self, kind: Kind[T], value: T, plugin: str) -> None:
        self._values.setdefault(kind.name, []).append(Registered(kind.key(value), value, plugin))

    def remove(self, kind: Kind[T], name: str, plugin: str) -> None:
        """Take one value back; used by plugins whose values come and go while they run."""
        values = self._values.get(kind.name, [])
        values[:] = [value for value in values if (value.name, value.plugin) != (name, plugin)]

    def forget(self, plugin: str) -> None:
        """Take back everything a plugin registered: its whole generation, all kinds together."""
        for values in self._values.values():
            values[:] = [value for value in values if value.plugin != plugin]

    def all(self, kind: Kind[T]) -> list[Registered[T]]:
        """The values in force, one per name, in registration order."""
        return list(self._in_force(kind).values())

    def get(self, kind: Kind[T], name: str) -> Registered[T] | None:
        return self._in_force(kind).get(name)

    def conflicts(self, kind: Kind[T]) -> Iterator[Conflict]:
        """Values that are hidden by another of the same name: diagnostics, not errors."""
        in_force = self._in_force(kind)
        for value in self._values.get(kind.name, []):
            winner = in_force[value.name]
            if value is not winner:
                yield Conflict(kind.name, value.name, winner.plugin, value.plugin)

    def _in_force(self, kind: Kind[T]) -> dict[str, Registered[T]]:
        in_force: dict[str, Registered[T]] = {}
        for value in self._values.get(kind.name, []):
            if kind.last_wins or value.name not in in_force:
                in_force[value.name] = value
        return in_force


@dataclass(frozen=True, slots=True)
class Registrar:
    """The registry as one plugin is given it: whatever it adds is attributed to it."""

    registry: Registry
    plugin: str

    def add(self, kind: Kind[T], value: T) -> None:
        self.registry.add(kind, value, self.plugin)

    def remove(self, kind: Kind[T], name: str) -> None:
        self.registry.remove(kind, name, self.plugin)
