"""Every list in the repository says what the folders say."""

import re
from collections import Counter
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.workspace import sync
from tests.workspace.tree import PATTERNS, ROOT, Kind, Member, kind_of, members, root_pyproject, tracked

TOP_LEVEL = {
    *("pyproject.toml", "tox.ini", "conftest.py", "README.md", "LICENSE", ".gitignore", ".ci"),
    *("kernel", "packages", "plugins", "skills", "themes", "tests"),
}


def test_every_list_of_members_is_what_the_tree_says() -> None:
    found = sync.differences()
    assert not found, f"{found}\nRun `python -m tests.workspace.sync --write`."


def test_a_new_folder_changes_every_list(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "tox.ini"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    for member in [*(m.folder for m in members() if m.name == "pi"), "plugins/added"]:
        (tmp_path / member).mkdir(parents=True)
        text = '[project]\nname = "pi-added"\n'
        if member != "plugins/added":
            text = (ROOT / member / "pyproject.toml").read_text(encoding="utf-8")
        (tmp_path / member / "pyproject.toml").write_text(text, encoding="utf-8")
    wanted = {path.as_posix(): text for path, text in sync.rendered(tmp_path).items()}
    assert "-e ./plugins/added\n" in wanted["packages/editable.txt"]
    assert '"pi-added @ {root:uri}/plugins/added",' in wanted["pyproject.toml"]
    assert "pi-added = { workspace = true }" in wanted["pyproject.toml"]
    assert '"plugins/added/src",' in wanted["pyproject.toml"]
    assert '"pi_added",' in wanted["pyproject.toml"]
    assert "change_dir = {tox_root}/plugins/{env_name}" in wanted["tox.ini"]
    assert '"pi-added==0.1.0",' in wanted["packages/pi/pyproject.toml"]


def test_every_folder_in_a_members_place_is_a_member() -> None:
    places = {path for pattern in PATTERNS for path in ROOT.glob(pattern) if path.is_dir()}
    held = {path for path in places if any(line.startswith(f"{path.relative_to(ROOT)}/") for line in tracked())}
    assert {path.relative_to(ROOT).as_posix() for path in held} == {m.folder for m in members()}


def test_the_uv_workspace_globs_are_the_places_of_members() -> None:
    assert tuple(root_pyproject()["tool"]["uv"]["workspace"]["members"]) == PATTERNS


def test_the_top_level_holds_nothing_else() -> None:
    assert {line.partition("/")[0] for line in tracked()} <= TOP_LEVEL


def test_every_environment_that_tox_lists_is_defined_once() -> None:
    parser = RawConfigParser()
    parser.read(ROOT / "tox.ini", encoding="utf-8")
    names: list[str] = []
    for section in parser.sections():
        prefix, _, name = section.partition(":")
        if prefix == "testenv" and name:
            names += name.strip("{}").split(",")
    listed = [line for line in parser["tox"]["env_list"].split() if line]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert [name for name, count in Counter(listed).items() if count > 1] == []
    assert set(listed) <= set(names)
    assert {m.name for m in members()} <= set(listed)


def test_test_files_have_unique_names() -> None:
    names = Counter(Path(line).name for line in tracked() if re.search(r"(^|/)test_[^/]*\.py$", line))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(
    ("folder", "kind", "dist", "import_name"),
    [
        ("kernel", Kind.KERNEL, "pi-kernel", "pi_kernel"),
        ("packages/api", Kind.LIBRARY, "pi-api", "pi_api"),
        ("packages/pi", Kind.BUNDLE, "pi", "pi_main"),
        ("packages/pi-minimal", Kind.BUNDLE, "pi-minimal", "pi_minimal"),
        ("packages/pixels", Kind.LIBRARY, "pi-pixels", "pi_pixels"),
        ("plugins/tool-read", Kind.PLUGIN, "pi-tool-read", "pi_tool_read"),
        ("skills", Kind.DATA, "pi-skills", "pi_skills"),
    ],
)
def test_names_follow_from_the_folder(folder: str, kind: Kind, dist: str, import_name: str) -> None:
    member = Member(ROOT, folder)
    assert (kind_of(folder), member.expected_dist, member.import_name) == (kind, dist, import_name)
