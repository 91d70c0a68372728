"""What a directory holds, or stands below, that only a trusted project may bring. Decisions over an injected view."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from pi_api.project import CONTEXT_FILES, PROJECT_FOLDER, SHARED_SKILLS

_PROJECT_FILES = ("settings.json", "SYSTEM.md", "APPEND_SYSTEM.md", "skills", "prompts", "themes")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of the machine: where the user's own things lie, and whether a path exists."""

    home: PurePath
    agent_dir: PurePath
    exists: Callable[[PurePath], bool]


def evidence(cwd: PurePath, around: Surroundings) -> list[PurePath]:
    """The files and folders for which trust in `cwd` (a real path) is needed, nearest first; none: no trust needed.

    What lies in the user's own agent folder or in `~/.agents` is the user's, not a project's.
    """
    found = _project_folder(cwd / PROJECT_FOLDER, around)
    for folder in (cwd, *cwd.parents):
        if folder != around.agent_dir:
            found += [path for name in CONTEXT_FILES if around.exists(path := folder / name)][:1]
        if folder != around.home and around.exists(skills := folder / SHARED_SKILLS):
            found.append(skills)
    return found


def _project_folder(folder: PurePath, around: Surroundings) -> list[PurePath]:
    if folder == around.agent_dir or not around.exists(folder):
        return []
    if folder == around.agent_dir.parent:
        return [folder / name for name in _PROJECT_FILES if around.exists(folder / name)]
    return [folder]
