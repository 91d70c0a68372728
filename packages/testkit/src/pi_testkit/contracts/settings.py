"""What pi expects of a settings section."""

from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Any

from pi_api.codec import camel
from pi_api.settings import SettingsSection


class SettingsContract:
    """Subclass and define the fixture `section`, a `SettingsSection`; its model is a dataclass or a pydantic model."""

    def test_the_model_is_found_under_its_dotted_name(self, section: SettingsSection) -> None:
        model = _model(section)
        assert is_dataclass(model) or hasattr(model, "model_fields")

    def test_every_field_has_a_default(self, section: SettingsSection) -> None:
        _model(section)()

    def test_every_field_is_described(self, section: SettingsSection) -> None:
        assert [name for name, (_, description) in _fields(section).items() if not description] == []

    def test_environment_variables_lead_to_fields(self, section: SettingsSection) -> None:
        for variable, path in section.env:
            assert variable == variable.upper()
            first, *rest = path.split(".")
            assert first in _fields(section), f"{variable} leads to {path}, which is no field"
            value = _fields(section)[first][0]
            for part in rest:
                assert part in value, f"{variable} leads to {path}, which is no field"
                value = value[part]


def _model(section: SettingsSection) -> Any:
    module, _, name = section.model.partition(":")
    return getattr(import_module(module), name)


def _fields(section: SettingsSection) -> dict[str, tuple[Any, str]]:
    """Default and description of each field, by its name in the settings."""
    model = _model(section)
    if is_dataclass(model):
        return {camel(one.name): (_default(one), one.metadata.get("description", "")) for one in fields(model)}
    shown = model().model_dump(by_alias=True)
    return {one.alias or name: (shown[one.alias or name], one.description) for name, one in model.model_fields.items()}


def _default(field: Any) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default
