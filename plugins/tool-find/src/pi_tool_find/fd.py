"""The program fd as a fast lister; the glob is matched here, so that results do not depend on it."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from pi_files.programs import ProgramRun, find_program, program_version
from pi_files.walk import in_repository

TIMEOUT = 300.0
_DIRECTORIES_MARKED = (8, 3)
_GIT_OPTIONAL = (8, 7)


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths relative to the root, with `/` between and after directories; `complete` unless time ran out."""

    paths: list[str]
    complete: bool


async def fd_listing(root: PurePath, matches: Callable[[str], bool]) -> Listing | None:
    """What fd lists below `root` and `matches` accepts; `None` when fd is absent, too old, or fails."""
    program = find_program("fd", "fdfind")
    if program is None:
        return None
    arguments = fd_arguments(await program_version(program), within_repository=in_repository(root))
    if arguments is None:
        return None
    run = ProgramRun([program, *arguments], root, separator=b"\0", timeout=TIMEOUT)
    paths: list[str] = []
    async with run:
        async for record in run:
            path = os.fsdecode(record).replace(os.sep, "/").removeprefix("./")
            if matches(path.removesuffix("/")):
                paths.append(path)
    # 1: something could not be looked at; None: stopped; anything else: it did not work.
    return Listing(paths, not run.timed_out) if run.exit_code in (0, 1, None) else None


def fd_arguments(version: tuple[int, ...], *, within_repository: bool) -> list[str] | None:
    """Arguments that make a version of fd list what a walk lists; `None` when that version cannot.

    Before 8.3 directories were not marked; before 8.7 .gitignore counted inside git repositories only. The flag that
    changes that is not given inside one, as later versions then do not see where repositories in it begin.
    """
    if version < _DIRECTORIES_MARKED or (version < _GIT_OPTIONAL and not within_repository):
        return None
    arguments = ["--hidden", "--exclude", ".git", "--print0", "--color", "never", "--no-global-ignore-file"]
    if not within_repository:
        arguments.append("--no-require-git")
    return [*arguments, "--", "", "."]
