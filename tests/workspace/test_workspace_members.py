"""What every member owes: names, files, versions, ranges, entry points."""

import re
import sys

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.purity.source import imported_names, parsed, runtime_imports
from tests.workspace.tree import ENTRY_POINT_GROUP, Kind, Member, members, version

MEMBERS = members()
BY_DIST = {m.dist: m for m in MEMBERS}
LIBRARIES = {m.dist for m in MEMBERS if m.kind in (Kind.KERNEL, Kind.LIBRARY)}
COMMAND_GROUP = "pi.cli"
GROUPS = {ENTRY_POINT_GROUP, COMMAND_GROUP, "pytest11"}
# Import names that are not the distribution's name with `_`, or whose distribution comes with the one named here.
DISTRIBUTION_OF = {"yaml": "pyyaml", "pydantic_core": "pydantic", "win32api": "pywin32", "PIL": "pillow"}

each_member = pytest.mark.parametrize("member", MEMBERS, ids=lambda m: m.folder)


def compatible_range() -> str:
    """The range in which members accept each other: this minor version."""
    release = Version(version())
    return f"<{release.major}.{release.minor + 1},>={release.major}.{release.minor}"


def distributions(member: Member, imported: set[str]) -> set[str]:
    """Give the distributions, other than the member itself, that hold what is imported."""
    packages = {name.partition(".")[0] for name in imported} - {member.import_name, *sys.stdlib_module_names}
    return {DISTRIBUTION_OF.get(name, name.replace("_", "-")) for name in packages}


@each_member
def test_it_is_called_like_its_folder(member: Member) -> None:
    assert member.dist == member.expected_dist
    assert member.pyproject["tool"]["flit"]["module"]["name"] == member.import_name


@each_member
def test_it_has_the_files_that_every_member_has(member: Member) -> None:
    assert (member.package / "__init__.py").is_file()
    assert (member.package / "py.typed").is_file()
    assert [path.name for path in (member.path / "src").iterdir() if path.is_dir()] == [member.import_name]
    readme = (member.path / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {member.dist}\n") and len(readme.split()) > 20
    assert any(path.name.startswith("test_") for path in member.tests()), "no tests"
    assert not any(path.name == "__init__.py" for path in member.tests()), "tests are not packages here"


@each_member
def test_its_metadata_is_that_of_the_workspace(member: Member) -> None:
    project = member.project
    assert project["version"] == version()
    assert project["license"] == "MIT"
    assert project["readme"] == "README.md"
    assert project["requires-python"] == ">=3.11"
    assert 20 <= len(project["description"]) <= 120
    assert "dynamic" not in project
    assert member.pyproject["build-system"] == {
        "requires": ["flit_core>=3.11,<5"],
        "build-backend": "flit_core.buildapi",
    }


@each_member
def test_it_has_the_entry_points_of_its_kind(member: Member) -> None:
    groups = member.project.get("entry-points", {})
    assert set(groups) <= GROUPS
    wanted = {member.name: f"{member.import_name}.plugin"} if member.kind.has_entry_point else {}
    assert member.entry_points == wanted
    if member.kind is not Kind.PLUGIN:
        assert COMMAND_GROUP not in groups
    for target in groups.get(COMMAND_GROUP, {}).values():
        assert re.fullmatch(rf"{member.import_name}(\.\w+)*:\w+", target)
    scripts = {"pi": "pi_main:main"} if member.dist == "pi" else {}
    assert member.project.get("scripts", {}) == scripts


@each_member
def test_members_require_each_other_in_this_minor_version(member: Member) -> None:
    own = [Requirement(line) for line in member.dependencies if Requirement(line).name in BY_DIST]
    if member.kind is Kind.BUNDLE:
        assert {str(requirement.specifier) for requirement in own} == {f"=={version()}"}
        assert len(own) == len(member.dependencies)
        return
    assert {requirement.name for requirement in own} <= LIBRARIES
    assert {str(requirement.specifier) for requirement in own} <= {compatible_range()}
    if member.kind.has_entry_point:
        assert "pi-kernel" in {requirement.name for requirement in own}


@each_member
def test_third_party_requirements_have_a_lower_bound_and_no_upper_one(member: Member) -> None:
    lines = [*member.dependencies, *(line for extra in member.extras.values() for line in extra)]
    for requirement in (Requirement(line) for line in lines):
        if requirement.name in BY_DIST:
            continue
        assert [spec.operator for spec in requirement.specifier] == [">="], str(requirement)


@each_member
def test_its_dependencies_are_the_imports_of_its_sources(member: Member) -> None:
    if member.kind is Kind.BUNDLE:
        return
    declared = {Requirement(line).name for line in member.dependencies}
    optional = {Requirement(line).name for extra, lines in member.extras.items() if extra != "test" for line in lines}
    at_run_time = {name for path in member.sources() for name in runtime_imports(path)}
    at_all = {name for path in member.sources() for name in imported_names(parsed(path))}
    assert distributions(member, at_run_time) <= declared | optional, "imported and not declared"
    assert declared <= distributions(member, at_all), "declared and never imported"


def test_the_kernel_says_the_version_of_the_workspace() -> None:
    kernel = BY_DIST["pi-kernel"]
    source = (kernel.package / "__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{version()}"\n' in source


def test_the_default_bundle_pins_every_member_but_bundles_and_the_kit_for_plugin_authors() -> None:
    pinned = {Requirement(line).name for line in BY_DIST["pi"].dependencies}
    assert pinned == {m.dist for m in MEMBERS if m.kind is not Kind.BUNDLE} - {"pi-testkit"}


def test_a_smaller_bundle_pins_what_its_members_need() -> None:
    for bundle in (m for m in MEMBERS if m.kind is Kind.BUNDLE):
        pinned = {Requirement(line).name for line in bundle.dependencies}
        assert pinned <= set(BY_DIST), f"{bundle.dist} pins what is no member"
        needed = {Requirement(line).name for name in pinned for line in BY_DIST[name].dependencies} & set(BY_DIST)
        assert needed <= pinned, f"{bundle.dist} leaves the version of {needed - pinned} open"
