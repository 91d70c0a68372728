"""One settings file: read with tolerance, changed under a lock, never overwritten when it cannot be understood."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pi_api import UsageError
from pi_kernel import jsonc

from pi_settings.layers import Tree

BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file as last read. `problem` says why it could not be; then it counts as empty."""

    path: Path
    text: str = ""
    tree: Tree = field(default_factory=dict)
    problem: str = ""

    @property
    def body(self) -> str:
        """The text without its byte-order mark."""
        return self.text.removeprefix(BOM)


def read(path: Path) -> SettingsFile:
    """Read a file; one that is absent or blank is an empty object."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return SettingsFile(path)
    except UnicodeDecodeError:
        return SettingsFile(path, problem=f"{path} is not UTF-8 text; save it as UTF-8 to have it read")
    except OSError as error:
        return SettingsFile(path, problem=f"{path} cannot be read: {error.strerror or error}; make it readable")
    body = text.removeprefix(BOM)
    if not jsonc.plain(body).strip():
        return SettingsFile(path, text)
    try:
        tree = jsonc.loads(body)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return SettingsFile(path, text, problem=f"{path} is not JSON at {where}: {error.msg}; correct it there")
    if not isinstance(tree, dict):
        return SettingsFile(path, text, problem=f"{path} must hold one JSON object {{...}}; put its content into one")
    return SettingsFile(path, text, tree)


def change(path: Path, lock: Path, edit: Callable[[SettingsFile], str]) -> SettingsFile:
    """Read, edit and replace a file while nobody else does; `edit` gives the new text without byte-order mark.

    The file that a symbolic link leads to is the one replaced. `UsageError` when the file cannot be understood.
    """
    # Most runs only read settings; writing takes more of the library.
    from pi_files.atomic import create_file, replace_file
    from pi_files.process_lock import process_lock

    path = path.resolve()
    with process_lock(lock):
        before = read(path)
        if before.problem:
            raise UsageError(f"nothing was written: {before.problem}")
        mark = BOM if before.text.startswith(BOM) else ""
        text = mark + edit(before)
        if text != before.text:
            (replace_file if path.exists() else create_file)(str(path), text.encode())
        return read(path)
