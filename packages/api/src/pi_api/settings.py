"""Settings: who owns which part, and how it is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

M = TypeVar("M")

Scope = Literal["user", "project"]
Layer = Literal["default", "user", "project", "env", "flag"]


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """A part of the settings that one plugin owns.

    `name` is its top-level key; "" means that the model's own fields stand at the top level (several plugins may have
    such a section, each with fields of its own). `model` is the dotted name (`package.module:Class`) of a frozen
    dataclass whose fields are made by `setting`, or of a pydantic model; a field `max_turns` is `maxTurns` in the
    settings. It is imported when the section is first read or written. `env` maps environment variables to dotted
    paths within the section.
    """

    name: str
    model: str
    description: str = ""
    env: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """What must be unique: the name, or the model where there is no name."""
        return self.name or self.model


def setting(default: Any, description: str, *, at_least: float | None = None, at_most: float | None = None) -> Any:
    """A field of a settings dataclass: its default, what it does, and bounds for a number.

    Values are checked against the field's annotation when somebody sets one; reading defaults costs no more than making
    the dataclass.
    """
    bounds = {"ge": at_least, "le": at_most}
    known = {name: bound for name, bound in bounds.items() if bound is not None}
    return field(default=default, metadata={"description": description, **known})


@dataclass(frozen=True, slots=True)
class Origin:
    """A value as merged, and the layer that decided it."""

    path: str
    value: Any
    layer: Layer
    file: str = ""


class Settings(Protocol):
    """Layered settings: defaults < user < project (trusted only) < environment < flags.

    Objects merge, everything else replaces. Values that do not validate are left out and stand in `problems`.
    """

    @property
    def problems(self) -> Sequence[str]: ...

    def read(self, section: str, model: type[M]) -> M:
        """The merged section as an instance of its pydantic model; what does not validate keeps its default."""
        ...

    def get(self, path: str, scope: Scope | None = None) -> Any:
        """A raw value by dotted path, merged or as one scope's file has it; `None` when nothing sets it."""
        ...

    def explain(self, path: str = "") -> Sequence[Origin]:
        """Every merged value under a path and where it comes from."""
        ...

    def set(self, path: str, value: Any, scope: Scope = "user") -> None:
        """Validate and write one value, atomically and under a lock; `UsageError` when it is wrong."""
        ...

    def change(self, path: str, make: Callable[[Any], Any], scope: Scope = "user") -> None:
        """As `set`, the new value made from the one in the scope's file (`None`: none there); others wait meanwhile."""
        ...

    def unset(self, path: str, scope: Scope = "user") -> bool:
        """Remove one value; false when it was not there."""
        ...

    def use_project(self, cwd: str, *, trusted: bool) -> None:
        """Read the project layer of a directory, if it is trusted; forget any other."""
        ...

    def use_flags(self, values: dict[str, Any]) -> None:
        """Put dotted paths and values on top of everything."""
        ...
