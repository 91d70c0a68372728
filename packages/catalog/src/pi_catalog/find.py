"""Looking through folders."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pi_catalog.frontmatter import body_of, head, line
from pi_catalog.item import Folder, Item, Kind
from pi_catalog.skills import skill
from pi_catalog.walk import skill_files

DESCRIPTION_CUT = 60
"""Characters of a prompt's first line that stand in for a description."""

_SUFFIX = {"prompt": ".md", "theme": ".json"}


def find(kind: Kind, folders: Iterable[Folder]) -> tuple[list[Item], list[str]]:
    """Everything of a kind by name, and what is wrong with any; of two of one name the first folder's counts.

    The same file reached twice through links is one.
    """
    found: dict[str, Item] = {}
    seen: set[Path] = set()
    problems: list[str] = []
    for folder in folders:
        for path in _files(kind, folder, problems):
            if (real := path.resolve()) in seen:
                continue
            seen.add(real)
            item = _item(kind, path, folder.source, problems)
            if item is None:
                continue
            if item.name in found:
                problems.append(f"{path}: the {kind} {item.name!r} of {found[item.name].path} hides this one")
            else:
                found[item.name] = item
    return [found[name] for name in sorted(found)], problems


def _files(kind: Kind, folder: Folder, problems: list[str]) -> Iterator[Path]:
    if kind == "skill":
        return skill_files(folder.path, loose=folder.loose, problems=problems)
    if folder.loose and folder.path.is_file():
        return iter([folder.path])
    return (path for path in sorted(folder.path.glob(f"*{_SUFFIX[kind]}")) if path.is_file())


def _item(kind: Kind, path: Path, source: str, problems: list[str]) -> Item | None:
    if kind == "skill":
        return skill(path, source, problems)
    if kind == "theme":
        return Item(kind, path.stem, path, source)
    front = head(path, problems)
    if front is None:
        return None
    return Item(kind, path.stem, path, source, line(front.get("description")) or _first_line(path))


def _first_line(path: Path) -> str:
    words = next((text for text in map(str.strip, body_of(path).splitlines()) if text), "")
    return words if len(words) <= DESCRIPTION_CUT else f"{words[: DESCRIPTION_CUT - 1]}…"
