"""Which items the settings switch off: `disabledResources.skills`, `.prompts`, `.themes`."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from pi_catalog.item import Item, Kind

if TYPE_CHECKING:
    from pi_api.settings import Settings


def setting(kind: Kind) -> str:
    """The dotted path of the setting that lists what of a kind is switched off."""
    return f"disabledResources.{kind}s"


def patterns(settings: "Settings | None", kind: Kind) -> list[str]:
    """What is switched off of a kind: names, paths, or globs of either."""
    found = settings.get(setting(kind)) if settings else None
    return [pattern for pattern in found if isinstance(pattern, str)] if isinstance(found, list) else []


def switched_off(item: Item, disabled: Iterable[str]) -> bool:
    """Some pattern is the item's name or path, or matches one of them."""
    names = (item.name, item.path.as_posix())
    return any(fnmatchcase(name, pattern.replace("\\", "/")) for name in names for pattern in disabled)
