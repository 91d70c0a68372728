"""Settings without files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from pi_api.codec import camel
from pi_api.services import SETTINGS, Service
from pi_api.settings import Origin, Scope
from pi_kernel import Kernel, hookimpl

M = TypeVar("M")


class FakeSettings:
    """A `Settings` service over one dictionary; also a plugin that offers itself, so `plugin_host(FakeSettings(...))`.

    `values` may be changed while a test runs. A pydantic model raises for what does not validate, so a test notices; a
    dataclass takes its fields as they are.
    """

    name = "settings"

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.values: dict[str, Any] = dict(values or {})
        self.problems: Sequence[str] = ()
        self.projects: list[tuple[str, bool]] = []

    @hookimpl
    def pi_services(self, register: Any) -> None:
        def create(kernel: Kernel) -> "FakeSettings":
            return self

        register(Service(SETTINGS, create))

    def read(self, section: str, model: type[M]) -> M:
        share = self.values.get(section, {}) if section else self.values
        if not is_dataclass(model):
            validated: M = model.model_validate(share)  # type: ignore[attr-defined]
            return validated
        names = {camel(one.name): one.name for one in fields(model)}
        return model(**{names[key]: value for key, value in share.items() if key in names})

    def get(self, path: str, scope: Scope | None = None) -> Any:
        value: Any = self.values
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    def explain(self, path: str = "") -> Sequence[Origin]:
        value = self.get(path) if path else self.values
        return [Origin(path, value, "user")] if value is not None else []

    def set(self, path: str, value: Any, scope: Scope = "user") -> None:
        *parents, last = path.split(".")
        place = self.values
        for part in parents:
            place = place.setdefault(part, {})
        place[last] = value

    def change(self, path: str, make: Callable[[Any], Any], scope: Scope = "user") -> None:
        self.set(path, make(self.get(path)), scope)

    def unset(self, path: str, scope: Scope = "user") -> bool:
        parent, _, last = path.rpartition(".")
        place = self.get(parent) if parent else self.values
        return isinstance(place, dict) and place.pop(last, self) is not self

    def use_project(self, cwd: str, *, trusted: bool) -> None:
        self.projects.append((cwd, trusted))

    def use_flags(self, values: dict[str, Any]) -> None:
        for path, value in values.items():
            self.set(path, value)
