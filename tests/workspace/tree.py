"""The workspace as the folders tell it; every list elsewhere (root pyproject, tox.ini, bundles) is held against it."""

import subprocess
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = ("kernel", "packages/*", "plugins/*", "skills", "themes")
ENTRY_POINT_GROUP = "pi.plugins"

Table = dict[str, Any]


class Kind(StrEnum):
    """What a member is, which follows from where its folder lies."""

    KERNEL = "kernel"
    LIBRARY = "library"
    BUNDLE = "bundle"
    PLUGIN = "plugin"
    DATA = "data"

    @property
    def has_entry_point(self) -> bool:
        return self in (Kind.PLUGIN, Kind.DATA)


def kind_of(folder: str) -> Kind:
    """Give the kind of a folder such as `plugins/tool-read`; a package called `pi` or `pi-…` is a bundle."""
    top, _, name = folder.partition("/")
    if top == "packages":
        return Kind.BUNDLE if name == "pi" or name.startswith("pi-") else Kind.LIBRARY
    return {"kernel": Kind.KERNEL, "plugins": Kind.PLUGIN}.get(top, Kind.DATA)


@dataclass(frozen=True)
class Member:
    """One distribution of the workspace.

    `folder` is relative to the root. The rule is: folder name = distribution name without `pi-`, import name =
    distribution name with `_`. Two exceptions, both for bundles, because a bundle is what people type after
    `pip install`: its folder bears the distribution's full name, and `pi` is imported as `pi_main`, `pi` being too
    short a name to claim for a module.
    """

    root: Path
    folder: str

    @property
    def name(self) -> str:
        return self.folder.rpartition("/")[2]

    @property
    def path(self) -> Path:
        return self.root / self.folder

    @property
    def kind(self) -> Kind:
        return kind_of(self.folder)

    @property
    def expected_dist(self) -> str:
        return self.name if self.kind is Kind.BUNDLE else f"pi-{self.name}"

    @property
    def import_name(self) -> str:
        return "pi_main" if self.expected_dist == "pi" else self.expected_dist.replace("-", "_")

    @property
    def package(self) -> Path:
        return self.path / "src" / self.import_name

    @cached_property
    def pyproject(self) -> Table:
        return tomllib.loads((self.path / "pyproject.toml").read_text(encoding="utf-8"))

    @property
    def project(self) -> Table:
        table: Table = self.pyproject["project"]
        return table

    @property
    def dist(self) -> str:
        return str(self.project["name"])

    @property
    def entry_points(self) -> dict[str, str]:
        return dict(self.project.get("entry-points", {}).get(ENTRY_POINT_GROUP, {}))

    @property
    def dependencies(self) -> list[str]:
        return list(self.project.get("dependencies", []))

    @property
    def extras(self) -> dict[str, list[str]]:
        return dict(self.project.get("optional-dependencies", {}))

    def sources(self) -> list[Path]:
        return sorted((self.path / "src").rglob("*.py"))

    def tests(self) -> list[Path]:
        return sorted((self.path / "tests").rglob("*.py"))


def members(root: Path = ROOT) -> list[Member]:
    """List the members in the order of `PATTERNS`, then by name: every folder there with a pyproject.toml."""
    folders = [
        found.relative_to(root).as_posix()
        for pattern in PATTERNS
        for found in sorted(root.glob(pattern))
        if (found / "pyproject.toml").is_file()
    ]
    return [Member(root, folder) for folder in folders]


def root_pyproject(root: Path = ROOT) -> Table:
    """Read the workspace's own pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def version(root: Path = ROOT) -> str:
    """Give the one version that every member bears."""
    return str(root_pyproject(root)["project"]["version"])


def tracked(root: Path = ROOT) -> list[str]:
    """List the files that belong to the project, as git sees it: committed or about to be, and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if (root / line).is_file()]
