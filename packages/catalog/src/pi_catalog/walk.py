"""Walking a folder of skills."""

import os
from collections.abc import Iterator
from pathlib import Path

from pi_files.ignore import IgnoreRules, Level, ignored, parse_ignore_file

SKILL_FILE = "SKILL.md"
FOLDER_LIMIT = 2_000
_IGNORE_FILES = (".gitignore", ".ignore", ".fdignore")
_DEPENDENCIES = frozenset({"node_modules", "__pycache__", "venv", "site-packages", "target", "dist", "build"})


def skill_files(root: Path, *, loose: bool, problems: list[str]) -> Iterator[Path]:
    """The skill files below a folder, in an order that depends on names alone.

    A folder with a SKILL.md is not looked into further. Hidden folders, dependencies and what ignore files name are
    left out; links are followed, once. With `loose`, Markdown files right in the root count too, and so does the root
    itself when it is a file.
    """
    if loose and root.is_file():
        yield root
        return
    visited: set[str] = set()
    folders: list[tuple[str, tuple[Level, ...]]] = [("", ())]
    while folders:
        relative, levels = folders.pop()
        folder = root / relative
        real = os.path.realpath(folder)
        if real in visited:
            continue
        visited.add(real)
        if len(visited) > FOLDER_LIMIT:
            problems.append(f"{root}: more than {FOLDER_LIMIT} folders to look for skills in; the rest is left out")
            return
        names = _names(folder)
        if SKILL_FILE in names:
            yield folder / SKILL_FILE
            continue
        levels = (_level(folder, relative, names), *levels)
        if loose and not relative:
            files = (name for name in names if name.endswith(".md") and not _left_out(name, False, levels))
            yield from (folder / name for name in files if (folder / name).is_file())
        below = [f"{relative}{name}" for name in names if _worth_entering(name) and (folder / name).is_dir()]
        folders.extend((f"{path}/", levels) for path in reversed(below) if not _left_out(path, True, levels))


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _worth_entering(name: str) -> bool:
    return not name.startswith(".") and name not in _DEPENDENCIES


def _level(folder: Path, relative: str, names: list[str]) -> Level:
    lines = b"\n".join(_bytes(folder / name) for name in _IGNORE_FILES if name in names)
    return Level(relative, ignore=parse_ignore_file(lines) if lines else IgnoreRules(()))


def _left_out(path: str, is_directory: bool, levels: tuple[Level, ...]) -> bool:
    return ignored(path, is_directory, levels)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
