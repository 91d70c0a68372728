"""Settings without files."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pi_api.services import SETTINGS, Service
from pi_api.settings import Origin, Scope
from pi_kernel import Kernel, hookimpl

M = TypeVar("M")


class FakeSettings:
    """A `Settings` service over one dictionary; also a plugin that offers itself, so `plugin_host(FakeSettings(...))`.

    `values` may be changed while a test runs; what does not validate raises pydantic's error, so a test notices.
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
        validated: M = model.model_validate(share)  # type: ignore[attr-defined]
        return validated

    def get(self, path: str) -> Any:
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

    def unset(self, path: str, scope: Scope = "user") -> bool:
        parent, _, last = path.rpartition(".")
        place = self.get(parent) if parent else self.values
        return isinstance(place, dict) and place.pop(last, self) is not self

    def use_project(self, cwd: str, *, trusted: bool) -> None:
        self.projects.append((cwd, trusted))

    def use_flags(self, values: dict[str, Any]) -> None:
        for path, value in values.items():
            self.set(path, value)
