"""Finds the file that a command word starts: on the PATH of the command's own variables, by the rules of its system."""

from __future__ import annotations

import ntpath
import os
import stat
from typing import TYPE_CHECKING

from pi_shell import is_shell, refuse
from pi_shell.command_words import program_name
from pi_shell.refused_words import POWERSHELLS

from pi_shell_engine.builtins.interface import reason
from pi_shell_engine.engine.state import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pi_shell_engine.paths import PathRules

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
DEFAULT_PATHEXT = ".COM;.EXE;.BAT;.CMD"
NOT_EXECUTABLE, NOT_FOUND = 126, 127


def resolve(name: str, variables: Mapping[str, str], cwd: str, paths: PathRules) -> str:
    """The file to start for the command word `name`.

    Raises a `CommandError` with status 127 or 126 when there is none or it cannot run, and the `nested-shell` refusal
    when it is a shell under whatever name.
    """
    unusable = None
    for path, runnable in candidates(name, variables, cwd, paths):
        if runnable:
            _refuse_shell(name, path)
            return path
        unusable = unusable or path
    if unusable is not None:
        raise CommandError(f"{name}: {_why_not(unusable)}", NOT_EXECUTABLE)
    if paths.has_folder(name):
        raise _missing(name, paths.join(cwd, name))
    raise CommandError(f"{name}: command not found", NOT_FOUND)


def candidates(name: str, variables: Mapping[str, str], cwd: str, paths: PathRules) -> Iterator[tuple[str, bool]]:
    """The files that `name` could mean, best first, and whether each can be started."""
    if not name or "\0" in name:
        return
    if paths.has_folder(name):
        yield from _in_folder(paths.join(cwd, name), variables, paths, folders=True)
        return
    for folder in search_path(variables, paths):
        yield from _in_folder(paths.join(paths.join(cwd, folder), name), variables, paths, folders=False)


def search_path(variables: Mapping[str, str], paths: PathRules) -> list[str]:
    """The folders of PATH; an empty one is the working directory."""
    value = variables.get("PATH")
    if value is None:
        return [] if paths.windows else DEFAULT_PATH.split(":")
    return [folder.strip('"') for folder in value.split(";") if folder] if paths.windows else value.split(":")


def _in_folder(
    path: str, variables: Mapping[str, str], paths: PathRules, *, folders: bool
) -> Iterator[tuple[str, bool]]:
    for file in windows_names(path, variables) if paths.windows else (path,):
        try:
            mode = os.stat(file).st_mode
        except (OSError, ValueError):
            continue
        if stat.S_ISDIR(mode):
            if folders:
                yield file, False
        else:
            yield file, _can_start(file, mode, windows=paths.windows, variables=variables)


def windows_names(path: str, variables: Mapping[str, str]) -> list[str]:
    """The names to try for `path`: as it is when it has an extension, then with each extension of PATHEXT."""
    extensions = pathext(variables)
    has_extension = ntpath.splitext(path)[1] != ""
    added = [path + extension for extension in extensions]
    return [path, *added] if has_extension else [*added, path]


def pathext(variables: Mapping[str, str]) -> list[str]:
    """The extensions of programs, lower case, in order."""
    value = variables.get("PATHEXT") or DEFAULT_PATHEXT
    return [extension.lower() for extension in value.split(";") if extension.startswith(".")]


def _can_start(file: str, mode: int, *, windows: bool, variables: Mapping[str, str]) -> bool:
    if file.lower().endswith(".ps1"):
        return True
    if windows:
        return ntpath.splitext(file)[1].lower() in pathext(variables)
    return bool(mode & 0o111) and os.access(file, os.X_OK)


def _refuse_shell(name: str, path: str) -> None:
    for spelling in (path, os.path.realpath(path)) if os.path.islink(path) else (path,):
        if is_shell(spelling):
            case = "powershell" if program_name(spelling) in POWERSHELLS else ""
            raise refuse("nested-shell", case, word=name)


def _why_not(path: str) -> str:
    if os.path.isdir(path):
        return "Is a directory"
    if os.name == "nt":
        return "cannot execute: not a program that Windows can start; start it through its interpreter"
    return "Permission denied"


def _missing(name: str, path: str) -> CommandError:
    try:
        os.stat(path)
    except FileNotFoundError as error:
        return CommandError(f"{name}: {reason(error)}", NOT_FOUND)
    except OSError as error:
        return CommandError(f"{name}: {reason(error)}", NOT_EXECUTABLE)
    except ValueError as error:
        return CommandError(f"{name}: {error}", NOT_FOUND)
    return CommandError(f"{name}: cannot execute", NOT_EXECUTABLE)
