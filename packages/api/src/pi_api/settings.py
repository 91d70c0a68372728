"""Settings: who owns which part, and how it is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

M = TypeVar("M")

Scope = Literal["user", "project"]
Layer = Literal["default", "user", "project", "env", "flag"]


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """A part of the settings that one plugin owns.

    `name` is its top-level key; "" means that the model's own fields stand at the top level (several plugins may have
    such a section, each with fields of its own). `model` is the dotted name (`package.module:Class`) of a pydantic
    model, imported when the section is first read or written. `env` maps environment variables to dotted paths within
    the section.
    """

    name: str
    model: str
    description: str = ""
    env: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """What must be unique: the name, or the model where there is no name."""
        return self.name or self.model


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
