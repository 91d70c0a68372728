"""What pi expects of a settings section."""

from importlib import import_module
from typing import Any

from pi_api.settings import SettingsSection


class SettingsContract:
    """Subclass and define the fixture `section`, a `SettingsSection`."""

    def test_the_model_is_found_under_its_dotted_name(self, section: SettingsSection) -> None:
        assert hasattr(_model(section), "model_fields")

    def test_every_field_has_a_default(self, section: SettingsSection) -> None:
        defaults = _model(section)()
        assert _model(section).model_validate(defaults.model_dump(by_alias=True)) == defaults

    def test_every_field_is_described(self, section: SettingsSection) -> None:
        fields = _model(section).model_fields
        assert [name for name, field in fields.items() if not field.description] == []

    def test_environment_variables_lead_to_fields(self, section: SettingsSection) -> None:
        defaults = _model(section)().model_dump(by_alias=True)
        for variable, path in section.env:
            assert variable == variable.upper()
            value: Any = defaults
            for part in path.split("."):
                assert part in value, f"{variable} leads to {path}, which is no field"
                value = value[part]


def _model(section: SettingsSection) -> Any:
    module, _, name = section.model.partition(":")
    return getattr(import_module(module), name)
