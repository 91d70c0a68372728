"""Instruction files: AGENTS.md and the like, of the user and of a trusted project."""

from dataclasses import dataclass
from pathlib import Path

from pi_api.project import CONTEXT_FILES
from pi_catalog.text import read

from pi_context.words import words


@dataclass(frozen=True, slots=True)
class Instructions:
    """An instruction file and its text."""

    path: Path
    text: str


def user_files(agent_dir: Path) -> list[Path]:
    """The user's own instruction file, which counts everywhere."""
    return _first(agent_dir)


def project_files(cwd: Path, agent_dir: Path) -> list[Path]:
    """The instruction files of this directory and of those above it, outermost first, one a directory."""
    own = {path.resolve() for path in user_files(agent_dir)}
    found: list[Path] = []
    for folder in (*reversed(cwd.parents), cwd):
        found += [path for path in _first(folder) if path.resolve() not in own]
    return found


def load(paths: list[Path], limit: int, problems: list[str]) -> list[Instructions]:
    """The files that say something."""
    loaded: list[Instructions] = []
    for path in paths:
        content = read(path, limit)
        if content.problem:
            problems.append(content.problem)
        if content.text:
            loaded.append(Instructions(path, content.text))
    return loaded


def injected(files: list[Instructions]) -> str:
    """The files as they stand in the system prompt; "" without any."""
    if not files:
        return ""
    blocks = (f'<instructions path="{file.path.as_posix()}">\n{file.text}\n</instructions>' for file in files)
    return "\n\n".join([words("injected"), *blocks])


def listed(paths: list[Path]) -> str:
    """The paths of files for the model to read by itself; "" without any."""
    if not paths:
        return ""
    lines = (f"- {path.as_posix()}" for path in paths)
    return "\n".join([words("listed"), *lines])


def _first(folder: Path) -> list[Path]:
    return [path for name in CONTEXT_FILES if (path := folder / name).is_file()][:1]
