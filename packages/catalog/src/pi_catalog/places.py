"""Where skills, prompts and themes are looked for, and in which order they count."""

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api.kinds import RESOURCES
from pi_api.project import PROJECT_FOLDER, SHARED_SKILLS

from pi_catalog.item import Folder, Kind

if TYPE_CHECKING:
    from pi_api import Resource
    from pi_kernel import Kernel


def folders(
    kind: Kind,
    kernel: "Kernel",
    cwd: Path,
    *,
    home: Path,
    trusted: bool,
    given: Iterable[str] = (),
    discover: bool = True,
) -> list[Folder]:
    """The folders for a kind, first wins: named on the command line, the project's, the user's, those of plugins.

    `given` are files or folders from the command line; without `discover` they are all there is.
    """
    found = [Folder(Path(path).expanduser().absolute(), "command line", loose=True) for path in given]
    if not discover:
        return found
    if trusted:
        found += project_folders(kind, cwd, home)
    found.append(Folder(kernel.agent_dir / f"{kind}s", "user", loose=True))
    if kind == "skill":
        found.append(Folder(home / SHARED_SKILLS, "user"))
    return found + resource_folders(kind, kernel)


def project_folders(kind: Kind, cwd: Path, home: Path) -> list[Folder]:
    """A project's own: `.pi/KINDs`, and for skills `.agents/skills` here and above, up to the repository or home."""
    found = [Folder(cwd / PROJECT_FOLDER / f"{kind}s", "project", loose=True)]
    for folder in up_to_repository(cwd, lambda path: path.exists()) if kind == "skill" else ():
        if folder == home:
            break
        found.append(Folder(folder / SHARED_SKILLS, "project"))
    return found


def up_to_repository(cwd: Path, exists: Callable[[Path], bool]) -> Sequence[Path]:
    """This folder and those above it up to the root of its repository; without a repository, all of them."""
    found: list[Path] = []
    for folder in (cwd, *cwd.parents):
        found.append(folder)
        if exists(folder / ".git"):
            break
    return found


def resource_folders(kind: Kind, kernel: "Kernel") -> list[Folder]:
    """The folders of a kind that plugins name, by name."""
    named = sorted(kernel.all(RESOURCES), key=lambda found: found.name)
    return [
        Folder(folder, f"plugin {found.plugin}")
        for found in named
        if found.value.kind == kind and (folder := folder_of(found.value)) is not None
    ]


def folder_of(resource: "Resource") -> Path | None:
    """Where a resource lies on disk, found without importing it; `None` when its package is not there."""
    try:
        spec = find_spec(resource.package)
    except (ImportError, ValueError):
        return None
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return Path(locations[0], resource.directory).resolve() if locations else None
