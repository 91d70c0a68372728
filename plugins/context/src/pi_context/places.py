"""Where skills are looked for, and in which order of precedence."""

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api.kinds import RESOURCES
from pi_api.project import PROJECT_FOLDER, SHARED_SKILLS

from pi_context.skills import SkillFolder

if TYPE_CHECKING:
    from pi_api import Resource
    from pi_kernel import Kernel


def skill_folders(
    kernel: "Kernel", cwd: Path, *, home: Path, trusted: bool, given: Iterable[str] = (), discover: bool = True
) -> list[SkillFolder]:
    """The folders, first wins: named on the command line, the project's, the user's, those of plugins.

    `given` are files or folders from the command line; without `discover` they are all there is.
    """
    folders = [SkillFolder(Path(path).expanduser().absolute(), "command line", loose=True) for path in given]
    if not discover:
        return folders
    if trusted:
        folders += project_folders(cwd, home)
    folders.append(SkillFolder(kernel.agent_dir / "skills", "user", loose=True))
    folders.append(SkillFolder(home / SHARED_SKILLS, "user"))
    return folders + resource_folders(kernel)


def project_folders(cwd: Path, home: Path) -> list[SkillFolder]:
    """A project's own: `.pi/skills`, then `.agents/skills` here and above, up to the repository or the home folder."""
    folders = [SkillFolder(cwd / PROJECT_FOLDER / "skills", "project", loose=True)]
    for folder in up_to_repository(cwd, lambda path: path.exists()):
        if folder == home:
            break
        folders.append(SkillFolder(folder / SHARED_SKILLS, "project"))
    return folders


def up_to_repository(cwd: Path, exists: Callable[[Path], bool]) -> Sequence[Path]:
    """This folder and those above it up to the root of its repository; without a repository, all of them."""
    found: list[Path] = []
    for folder in (cwd, *cwd.parents):
        found.append(folder)
        if exists(folder / ".git"):
            break
    return found


def resource_folders(kernel: "Kernel") -> list[SkillFolder]:
    """The folders of skills that plugins name, by name."""
    named = sorted(kernel.all(RESOURCES), key=lambda found: found.name)
    return [
        SkillFolder(folder, f"plugin {found.plugin}")
        for found in named
        if found.value.kind == "skill" and (folder := folder_of(found.value)) is not None
    ]


def folder_of(resource: "Resource") -> Path | None:
    """Where a resource lies on disk, found without importing it; `None` when its package is not there."""
    try:
        spec = find_spec(resource.package)
    except (ImportError, ValueError):
        return None
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return Path(locations[0], resource.directory).resolve() if locations else None
