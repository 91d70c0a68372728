"""Who may import whom: the kernel nobody, a library no plugin, a plugin no other plugin, a manifest nothing heavy."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.purity.source import imported_names, parsed, relative
from tests.workspace.tree import Kind, Member, members

MEMBERS = members()
KERNEL_MAY_IMPORT = {"pi_kernel", "pluggy", "importlib_metadata", "packaging"}
KERNEL_MAY_NOT_IMPORT = {"asyncio", "concurrent", "multiprocessing", "selectors", "socket", "ssl", "http", "urllib"}
HEAVY = {"asyncio", "httpx", "mcp", "prompt_toolkit", "pydantic", "rich", "watchfiles"}
MANIFESTS = [m for m in MEMBERS if m.kind.has_entry_point]


def packages_of(*kinds: Kind) -> set[str]:
    return {m.import_name for m in MEMBERS if m.kind in kinds}


def imports_of(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported_names(parsed(path))}


def may_import(member: Member) -> set[str]:
    """Give the members' packages that a member may import."""
    libraries = packages_of(Kind.KERNEL, Kind.LIBRARY) - {"pi_testkit"}
    return {
        Kind.KERNEL: {"pi_kernel"},
        Kind.LIBRARY: libraries | {member.import_name},
        Kind.BUNDLE: {"pi_kernel", member.import_name},
        Kind.PLUGIN: libraries | {member.import_name},
        Kind.DATA: libraries | {member.import_name},
    }[member.kind]


def test_the_kernel_imports_the_standard_library_and_three_packages() -> None:
    kernel = next(m for m in MEMBERS if m.kind is Kind.KERNEL)
    allowed = (set(sys.stdlib_module_names) - KERNEL_MAY_NOT_IMPORT) | KERNEL_MAY_IMPORT
    foreign = {relative(path): imports_of(path) - allowed for path in kernel.sources()}
    assert {path: names for path, names in foreign.items() if names} == {}


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: m.folder)
def test_a_member_imports_only_members_below_it(member: Member) -> None:
    forbidden = {m.import_name for m in MEMBERS} - may_import(member)
    wrong = {relative(path): imports_of(path) & forbidden for path in member.sources()}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_nothing_reaches_a_module_by_its_name_in_a_string() -> None:
    wrong = []
    for member in MEMBERS:
        others = "|".join(sorted(packages_of(Kind.PLUGIN, Kind.DATA) - {member.import_name}))
        named = re.compile(rf"""["']({others})[.:]""")
        wrong += [relative(path) for path in member.sources() if named.search(path.read_text(encoding="utf-8"))]
    assert wrong == []


@pytest.mark.parametrize("member", MANIFESTS, ids=lambda m: m.folder)
def test_importing_a_manifest_loads_nothing_heavy(member: Member) -> None:
    code = f"import sys, {member.import_name}.plugin; print(*sorted({HEAVY} & sys.modules.keys()))"
    path = os.pathsep.join(str(m.path / "src") for m in MEMBERS)
    command = [sys.executable, "-c", code]
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr
