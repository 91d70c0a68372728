"""What is installed, and whether it is switched on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_catalog import Item, find
from pi_catalog.item import KINDS, Kind
from pi_catalog.places import folders
from pi_catalog.switches import patterns, switched_off
from pi_kernel.loader import PluginInfo
from pi_kernel.paths import DISABLED_PLUGINS_VARIABLE, plugins_disabled_by

from pi_config.desk import Desk

DISABLED_PLUGINS = "plugins.disabled"


@dataclass(frozen=True, slots=True)
class PluginRow:
    """A plugin, and whether it is switched on by everything that has a say."""

    info: PluginInfo
    enabled: bool

    def to_json(self) -> dict[str, Any]:
        source = self.info.source
        return {
            "name": source.name,
            "enabled": self.enabled,
            "builtin": self.info.builtin,
            "distribution": source.distribution,
            "version": source.version,
            "location": source.location,
            "failure": str(self.info.failure) if self.info.failure else None,
        }


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A skill, prompt or theme, and whether it is switched on."""

    item: Item
    enabled: bool

    def to_json(self) -> dict[str, Any]:
        item = self.item
        return {
            "kind": item.kind,
            "name": item.name,
            "enabled": self.enabled,
            "source": item.source,
            "path": str(item.path),
            "description": item.description,
        }


def plugins(desk: Desk) -> list[PluginRow]:
    """Every installed plugin by name."""
    return [PluginRow(info, not switched_off_by(desk, info.name)) for info in desk.kernel.plugins()]


def switched_off_by(desk: Desk, plugin: str) -> list[str]:
    """Whatever switches a plugin off, in words; nobody can switch on what another switches off."""
    said = {
        "your settings": _names(desk.settings.get(DISABLED_PLUGINS, "user")),
        "this project's settings": _names(desk.settings.get(DISABLED_PLUGINS, "project")),
        f"${DISABLED_PLUGINS_VARIABLE}": plugins_disabled_by(desk.kernel.env),
    }
    return [who for who, names in said.items() if plugin in names]


def _names(value: Any) -> frozenset[str]:
    return frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else frozenset()


def items(desk: Desk, kind: Kind, *, home: Path) -> tuple[list[ItemRow], list[str]]:
    """What the user, the trusted project and loaded plugins provide of a kind, and what is wrong with any of it."""
    found, problems = find(kind, folders(kind, desk.kernel, desk.cwd, home=home, trusted=desk.trusted))
    off = patterns(desk.settings, kind)
    return [ItemRow(item, not switched_off(item, off)) for item in found], problems


def everything(desk: Desk, kinds: tuple[Kind, ...] = KINDS, *, home: Path) -> tuple[list[ItemRow], list[str]]:
    """The items of several kinds, one kind after the other."""
    rows: list[ItemRow] = []
    problems: list[str] = []
    for kind in kinds:
        found, odd = items(desk, kind, home=home)
        rows += found
        problems += odd
    return rows, problems
