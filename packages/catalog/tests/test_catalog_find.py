"""What is found in which folders, in which order it counts, and what is wrong with any of it."""

from pathlib import Path

import pytest
from pi_catalog import Folder, Item, find
from pi_catalog.places import up_to_repository
from pi_catalog.switches import switched_off


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def symlink_or_skip(link: Path, target: Path) -> None:
    """Make a link; skip where none comes of it, as without the right on Windows, and under Wine."""
    try:
        link.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("this system does not let this user make symbolic links")
    if not link.is_symlink():
        pytest.skip("this system makes no symbolic links, though it says so")


def add_skill(folder: Path, name: str) -> Path:
    return write(folder / name, "SKILL.md", f"---\nname: {name}\ndescription: Does {name}.\n---\n# Body\n")


@pytest.mark.parametrize(
    ("pattern", "left"),
    [("a-*", ["b"]), ("b", ["a-one", "a-two"]), ("*/a-one/SKILL.md", ["a-two", "b"]), ("c", ["a-one", "a-two", "b"])],
)
def test_patterns_switch_off_by_name_or_path(pattern: str, left: list[str]) -> None:
    items = [Item("skill", name, Path("/s", name, "SKILL.md"), "user") for name in ("a-one", "a-two", "b")]
    assert [item.name for item in items if not switched_off(item, [pattern])] == left


ODD: list[tuple[str, str, list[str], str]] = [
    ("no description", "---\nname: x\n---\n", [], "has no description"),
    ("no front matter", "# Just text\n", [], "has no description"),
    ("not YAML", "---\nname: [\n---\n", [], "is not YAML"),
    ("front matter beyond its limit", "---\ndescription: d\n" + "x: y\n" * 5000 + "---\n", [], "has no end"),
    ("endless front matter", "---\ndescription: d\n" + "x: y\n" * 5000, [], "has no end"),
    ("a strange name", "---\nname: My Skill\ndescription: d\n---\n", ["My Skill"], "should be at most 64 of a-z"),
    ("a long description", f"---\nname: x\ndescription: {'d' * 1100}\n---\n", ["x"], "at most 1024 characters"),
    ("no name", "---\ndescription: d\n---\n", ["folder"], ""),
    ("unknown keys", "---\ndescription: d\nfoo: bar\n---\n", ["folder"], ""),
]


@pytest.mark.parametrize(("case", "text", "expected", "problem"), ODD, ids=[case[0] for case in ODD])
def test_odd_skills_warn_and_load_unless_there_is_nothing_to_tell(
    tmp_path: Path, case: str, text: str, expected: list[str], problem: str
) -> None:
    write(tmp_path / "skills" / "folder", "SKILL.md", text)
    found, problems = find("skill", [Folder(tmp_path / "skills", "test")])
    assert [one.name for one in found] == expected
    assert problems == [] if not problem else problem in problems[0]


def test_folders_are_walked_as_skills_lie_in_them(tmp_path: Path) -> None:
    root = tmp_path / "skills"
    add_skill(root / "group" / "deep", "nested")
    add_skill(root / "outer", "inner-of-a-skill")
    add_skill(root, "outer")
    add_skill(root / ".hidden", "hidden")
    add_skill(root / "node_modules", "dependency")
    add_skill(root / "scratch", "left-out")
    add_skill(root / "scratch-not", "kept")
    write(root, ".gitignore", "scratch/\n*.draft.md\n")
    for name in ("loose.md", "x.draft.md"):
        write(root, name, "---\ndescription: d\n---\n")
    assert [one.name for one in find("skill", [Folder(root, "t", loose=True)])[0]] == [
        "kept",
        "loose",
        "nested",
        "outer",
    ]
    assert [one.name for one in find("skill", [Folder(root, "t")])[0]] == ["kept", "nested", "outer"]


def test_links_are_followed_once(tmp_path: Path) -> None:
    root = tmp_path / "skills"
    add_skill(root / "real", "linked")
    symlink_or_skip(root / "again", root / "real")
    symlink_or_skip(root / "real" / "loop", root)
    found, problems = find("skill", [Folder(root, "test")])
    assert ([one.name for one in found], problems) == (["linked"], [])


def test_project_skills_reach_up_to_the_repository() -> None:
    there = {Path("/a/b/.git")}
    assert up_to_repository(Path("/a/b/c/d"), there.__contains__) == [Path("/a/b/c/d"), Path("/a/b/c"), Path("/a/b")]
    assert up_to_repository(Path("/x"), there.__contains__) == [Path("/x"), Path("/")]


def test_prompts_lie_flat_and_are_named_after_their_files(tmp_path: Path) -> None:
    write(tmp_path / "deep", "not-found.md", "text")
    write(tmp_path, "review.md", "---\ndescription: Reviews\u200b it.\n---\nReview $1")
    write(tmp_path, "plain.md", "\n\nSay hello to everybody who is there, and then to everybody who is not there\n")
    write(tmp_path, "fenced.md", "---\nargument-hint: x\n---\n\nFix it\n")
    write(tmp_path, "bad.md", "---\n[\n---\n")
    found, problems = find("prompt", [Folder(tmp_path, "user")])
    assert [(item.name, item.description) for item in found] == [
        ("fenced", "Fix it"),
        ("plain", "Say hello to everybody who is there, and then to everybody …"),
        ("review", "Reviews it."),
    ]
    assert len(problems) == 1 and "bad.md is left out: its front matter is not YAML" in problems[0]


def test_themes_are_json_files_and_the_first_folder_counts(tmp_path: Path) -> None:
    mine, theirs = write(tmp_path / "a", "dark.json", "{}"), write(tmp_path / "b", "dark.json", "{}")
    write(tmp_path / "b", "light.json", "{}")
    found, problems = find("theme", [Folder(tmp_path / "a", "user"), Folder(tmp_path / "b", "plugin x")])
    assert [(item.name, item.source) for item in found] == [("dark", "user"), ("light", "plugin x")]
    assert problems == [f"{theirs}: the theme 'dark' of {mine} hides this one"]


def test_folders_that_are_not_there_hold_nothing(tmp_path: Path) -> None:
    for kind in ("skill", "prompt", "theme"):
        assert find(kind, [Folder(tmp_path / "absent", "user")]) == ([], [])  # type: ignore[arg-type]
