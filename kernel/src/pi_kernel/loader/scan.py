"""Reading which plugins are installed, from distribution metadata alone: nothing of a plugin is imported here."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import importlib_metadata as metadata

GROUP = "pi.plugins"
COMMAND_GROUP = "pi.cli"

_REQUIREMENT = re.compile(r"^Requires-Dist:\s*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)
_KERNEL_REQUIREMENT = re.compile(r"^Requires-Dist:\s*pi[-_.]kernel(?![-_.\w])\s*(.*)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PluginSource:
    """An entry point as it stands in a distribution's metadata.

    `target` is what the entry point names (`module` or `module:attribute`), `requires_kernel` the version range its
    distribution asks of `pi-kernel` ("" when it asks none), `location` the folder the distribution is installed in.
    """

    name: str
    target: str
    distribution: str
    version: str
    location: str
    requires_kernel: str


def scan(group: str = GROUP) -> list[PluginSource]:
    """Every installed entry point of the group, sorted by name, then distribution."""
    found = [_source(point) for point in installed_entry_points().select(group=group)]
    return sorted(found, key=lambda source: (source.name, source.distribution))


@cache
def installed_entry_points() -> metadata.EntryPoints:
    """All entry points of this environment; finding them means opening every distribution, so it is done once."""
    return metadata.entry_points()


def _source(point: metadata.EntryPoint) -> PluginSource:
    distribution = point.dist
    if distribution is None:
        return PluginSource(point.name, point.value, "", "", "", "")
    return PluginSource(
        point.name,
        point.value,
        distribution.name,
        distribution.version,
        str(distribution.locate_file("")),
        kernel_range(_metadata(distribution)),
    )


def kernel_range(metadata_text: str) -> str:
    """The specifier a METADATA text puts on `pi-kernel`, without any environment marker."""
    found = _KERNEL_REQUIREMENT.search(metadata_text.partition("\n\n")[0])
    return found.group(1).partition(";")[0].strip(" ()") if found else ""


@cache
def requirements(distribution: str) -> frozenset[str]:
    """Normalised names of what an installed distribution requires: the members of a bundle. Empty when it is absent."""
    try:
        text = _metadata(metadata.Distribution.from_name(distribution))
    except metadata.PackageNotFoundError:
        return frozenset()
    return frozenset(normalized(name) for name in _REQUIREMENT.findall(text))


def normalized(distribution: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _metadata(distribution: Any) -> str:
    """The header lines of a distribution's metadata, as they are: parsing them as mail costs a hundred times more."""
    text: str = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    return text.partition("\n\n")[0]
