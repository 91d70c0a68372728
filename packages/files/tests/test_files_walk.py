"""A walk finds what ripgrep and fd find: shown on trees written by hand, and on any trees where they are installed."""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pi_files.operations import LocalFiles
from pi_files.walk import in_repository, order, walk

RG, FD = shutil.which("rg"), shutil.which("fd") or shutil.which("fdfind")
needs_rg = pytest.mark.skipif(RG is None, reason="ripgrep (rg) is not installed")
needs_fd = pytest.mark.skipif(FD is None, reason="fd (fd-find) is not installed")
TREES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("files_ignore_trees.toml").read_text("utf-8"))[
    "tree"
]


@pytest.fixture(autouse=True)
def no_settings_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


def plant(root: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())


def plant_tree(root: Path, tree: Mapping[str, Any]) -> None:
    plant(root, {**dict.fromkeys(tree["plain"], ""), **tree.get("files", {})})
    if tree.get("repository"):
        (root / ".git").mkdir(exist_ok=True)


def walked_files(root: Path, tool_file: str = ".rgignore") -> list[str]:
    return [found.path for found in walk(LocalFiles(), root, tool_file=tool_file) if found.kind == "file"]


def rg_files(root: Path) -> list[str]:
    assert RG is not None
    flags = ["--files", "--hidden", "--no-config", "--null", "--sort=path", "--glob=!.git", "--no-messages"]
    flags += [] if in_repository(root) else ["--no-require-git"]
    done = subprocess.run([RG, *flags, "--", "./"], cwd=root, capture_output=True, check=False, timeout=60)
    return [os.fsdecode(name).replace(os.sep, "/").removeprefix("./") for name in done.stdout.split(b"\0") if name]


def fd_paths(root: Path) -> list[str]:
    assert FD is not None
    flags = ["--hidden", "--exclude", ".git", "--print0", "--color", "never", "--no-global-ignore-file"]
    done = subprocess.run([FD, *flags, "--", "", "."], cwd=root, capture_output=True, check=False, timeout=60)
    names = [os.fsdecode(name).replace(os.sep, "/").removeprefix("./") for name in done.stdout.split(b"\0") if name]
    return sorted(names, key=order)


def possible_here(tree: Mapping[str, Any]) -> bool:
    return sys.platform != "win32" or not any(name[-1] == " " for name in tree["plain"])


@pytest.mark.parametrize("tree", [tree for tree in TREES if possible_here(tree)], ids=lambda tree: tree["name"])
def test_the_files_of_a_tree(tree: dict[str, Any], tmp_path: Path) -> None:
    plant_tree(tmp_path, tree)
    assert walked_files(tmp_path) == tree["found"]


@needs_rg
@pytest.mark.parametrize("tree", [tree for tree in TREES if possible_here(tree)], ids=lambda tree: tree["name"])
def test_ripgrep_agrees_on_them(tree: dict[str, Any], tmp_path: Path) -> None:
    plant_tree(tmp_path, tree)
    assert rg_files(tmp_path) == tree["found"]


def test_rules_above_the_search_hold(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*.log\n/d/x\n", "d/a.log": "", "d/x": "", "d/y": "", "d/e/x": ""})
    assert walked_files(tmp_path / "d") == ["e/x", "y"]


def test_an_ignored_directory_is_searched_when_it_is_asked_for(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "build/\n", "build/x": ""})
    assert walked_files(tmp_path) == [".gitignore"]
    assert walked_files(tmp_path / "build") == ["x"]


@pytest.mark.parametrize(
    ("config", "excludes"),
    [
        ({}, ".config/git/ignore"),
        ({".gitconfig": "[core]\n\texcludesFile = ~/mine\n"}, "mine"),
        ({".config/git/config": '[core]\nexcludesfile="mine"\n'}, "mine"),
    ],
)
def test_the_users_own_excludes_hold(
    tmp_path: Path, no_settings_of_the_user: Path, config: dict[str, str], excludes: str
) -> None:
    plant(no_settings_of_the_user, {**config, excludes: "*.tmp\n"})
    plant(tmp_path, {"a.tmp": "", "b": "", "d/.gitignore": "!c.tmp\n", "d/c.tmp": ""})
    assert walked_files(tmp_path) == ["b", "d/.gitignore", "d/c.tmp"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows and are not made by Wine")
def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    plant(tmp_path, {"d/x": ""})
    (tmp_path / "link").symlink_to("d")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "gone").symlink_to("nowhere")
    found = [(entry.path, entry.kind) for entry in walk(LocalFiles(), tmp_path, tool_file=".fdignore")]
    assert found == [("d", "directory"), ("d/x", "file"), ("gone", "link"), ("link", "link"), ("loop", "link")]


def test_directories_come_before_what_they_hold_in_the_order_of_bytes(tmp_path: Path) -> None:
    plant(tmp_path, {"b/x": "", "b.x": "", "C": "", "ü": "", "b-": ""})
    found = [entry.path for entry in walk(LocalFiles(), tmp_path, tool_file=".fdignore")]
    assert found == (sorted(found, key=order)) == ["C", "b", "b/x", "b-", "b.x", "ü"]


def test_a_walk_can_be_stopped(tmp_path: Path) -> None:
    plant(tmp_path, {f"d{number}/x": "" for number in range(5)})
    calls: list[int] = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        list(walk(LocalFiles(), tmp_path, tool_file=".fdignore", check=check))


# Any tree. Malformed and nested braces are left out: versions of ripgrep differ on them.

NAMES = ["a", "b", "ab", "a.b", ".h", "x.log", "ü", "é.py", "A", "[z]", "-d", "!n", "#c", "node", "{q}", "x,y", "b c"]
PARTS = [*NAMES, "*", "?", "**", "*.log", "[ab]", "[!a]", "[^a]", "[a-c]", "a*", "*b", "{a,b}", "\\a", "\\#c", "[z]"]
PARTS += ["x?", "[", "a**", "**b", "{,a}", "[]a]", "[a-]", "é*", "[é]", "***"]
PATTERNS = st.builds(
    lambda keep, anchor, parts, end: keep + anchor + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.sampled_from(["", "", "", "/", " ", "\t", "\\ ", "/ "]),
)
RULES = st.builds(
    lambda lines, end: end.join([*lines, ""]), st.lists(PATTERNS, max_size=4), st.sampled_from(["\n", "\r\n"])
)
IGNORE_NAMES = [".gitignore", ".gitignore", ".ignore", ".rgignore", ".fdignore", ".git/info/exclude"]
FOLDERS = st.lists(st.sampled_from(NAMES), max_size=3).map("/".join)


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """Files by path; where a name is wanted for a file and for a folder, the first one has it."""
    files: dict[str, str] = {}
    folders: set[str] = set()
    for folder in draw(st.lists(FOLDERS, min_size=1, max_size=8, unique=True)):
        names = dict.fromkeys(draw(st.sets(st.sampled_from(NAMES))), "")
        names.update(dict.fromkeys(draw(st.sets(st.sampled_from(IGNORE_NAMES), max_size=2)), draw(RULES)))
        for name, content in names.items():
            path = f"{folder}/{name}".lstrip("/")
            above = {"/".join(path.split("/")[:count]) for count in range(1, path.count("/") + 1)}
            if path not in folders and not above & files.keys():
                files[path] = content
                folders |= above
    return files


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for the trees of one test, each of which it holds alone."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def fresh(scratch: Path, tree: Mapping[str, str]) -> Path:
    shutil.rmtree(scratch / "tree", ignore_errors=True)
    (scratch / "tree" / ".git").mkdir(parents=True)
    plant(scratch / "tree", tree)
    return scratch / "tree"


differential = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@needs_rg
@differential
@given(tree=trees(), below=st.sampled_from(["", "a", "node"]))
def test_ripgrep_agrees_on_any_tree(tree: dict[str, str], below: str, scratch: Path) -> None:
    root = fresh(scratch, tree) / below
    assume(root.is_dir())
    assert walked_files(root) == rg_files(root)


@needs_fd
@differential
@given(tree=trees())
def test_fd_agrees_on_any_tree(tree: dict[str, str], scratch: Path) -> None:
    root = fresh(scratch, tree)
    found = [entry.path + "/" * entry.is_directory for entry in walk(LocalFiles(), root, tool_file=".fdignore")]
    assert found == fd_paths(root)
