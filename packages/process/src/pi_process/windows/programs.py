"""Finding the file behind a program's name as Windows would, from an injected view: runs on any system."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pi_process.environment import variable

STARTABLE = (".com", ".exe", ".bat", ".cmd")
"""What CreateProcess can start; the other endings PATHEXT may list belong to the shell."""


@dataclass(frozen=True, slots=True)
class ProgramView:
    """What the search may look at: the child's environment and working directory, and whether a file exists."""

    environment: Mapping[str, str]
    directory: str
    is_file: Callable[[str], bool]


def find_program(name: str, view: ProgramView) -> str | None:
    """The full path of the program that `name` stands for, or None.

    A bare name is searched on PATH, not in the working directory, with the endings of PATHEXT: `npm` is `npm.cmd`,
    never the script for other systems that lies beside it.
    """
    return next((path for path in _candidates(name, view) if view.is_file(path)), None)


def is_batch(path: str) -> bool:
    """Whether Windows runs `path` through cmd.exe. It ignores dots and spaces at a name's end, so we do."""
    return path.rstrip(". ").lower().endswith((".bat", ".cmd"))


def _candidates(name: str, view: ProgramView) -> Iterator[str]:
    endings = _endings(view.environment)
    if ntpath.basename(name) != name or ntpath.splitdrive(name)[0]:
        path = ntpath.normpath(ntpath.join(view.directory, name))
        yield from _spellings(path, endings)
        # A path that names a file exactly means that file, whatever its ending.
        yield path
        return
    search = variable(view.environment, "PATH", windows=True) or ""
    for folder in search.split(";"):
        folder = folder.strip().strip('"')
        if folder:
            yield from _spellings(ntpath.normpath(ntpath.join(view.directory, folder, name)), endings)


def _spellings(path: str, endings: tuple[str, ...]) -> Iterator[str]:
    if ntpath.splitext(path)[1].lower() in endings:
        yield path
    for ending in endings:
        yield path + ending


def _endings(environment: Mapping[str, str]) -> tuple[str, ...]:
    listed = (variable(environment, "PATHEXT", windows=True) or "").lower().split(";")
    return tuple(dict.fromkeys(ending for ending in listed if ending in STARTABLE)) or STARTABLE
