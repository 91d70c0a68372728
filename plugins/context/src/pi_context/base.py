"""The words a system prompt begins with, and those appended to it."""

from collections.abc import Iterable
from pathlib import Path

from pi_api.project import PROJECT_FOLDER
from pi_catalog.text import read

from pi_context.words import words

LIMIT = 256 * 1024
"""Bytes of each such text."""


def base(given: str | None, folders: Iterable[Path], problems: list[str]) -> str:
    """The text given on the command line, else SYSTEM.md of the first folder that has one, else our own."""
    if given:
        return text_or_file(given, problems)
    return _first(folders, "SYSTEM.md", problems) or words("default")


def appended(given: Iterable[str], folders: Iterable[Path], problems: list[str]) -> list[str]:
    """APPEND_SYSTEM.md of the first folder that has one, then the texts given on the command line."""
    texts = [_first(folders, "APPEND_SYSTEM.md", problems), *(text_or_file(text, problems) for text in given)]
    return [text for text in texts if text]


def prompt_folders(cwd: Path, agent_dir: Path, *, trusted: bool) -> list[Path]:
    """Where SYSTEM.md and APPEND_SYSTEM.md may lie: in a trusted project, then with the user."""
    return [*([cwd / PROJECT_FOLDER] if trusted else []), agent_dir]


def text_or_file(value: str, problems: list[str]) -> str:
    """The content of a file when the value names one, else the value itself."""
    try:
        is_file = Path(value).is_file()
    except (OSError, ValueError):
        is_file = False
    if not is_file:
        if _looks_like_path(value):
            problems.append(f"there is no file {value}; the words themselves stand in the system prompt")
        return value.strip()
    content = read(Path(value), LIMIT)
    if content.problem:
        problems.append(content.problem)
    return content.text


def _looks_like_path(value: str) -> bool:
    return not any(character.isspace() for character in value) and value.lower().endswith((".md", ".txt"))


def _first(folders: Iterable[Path], name: str, problems: list[str]) -> str:
    for folder in folders:
        if (folder / name).is_file():
            content = read(folder / name, LIMIT)
            if content.problem:
                problems.append(content.problem)
            if content.text:
                return content.text
    return ""
