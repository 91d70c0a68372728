"""A child's environment as a value. On Windows names are compared without case, and one name is there once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

WINDOWS = os.name == "nt"


def merge_environment(
    base: Mapping[str, str], changes: Mapping[str, str | None], *, windows: bool = WINDOWS
) -> dict[str, str]:
    """`base` with `changes` applied; a change to None removes the variable.

    On Windows a name keeps the spelling it was first met with. Should `base` itself hold one name in two spellings, the
    later value wins, except that two search paths are joined, so that no folder is lost.
    """
    if not windows:
        merged = {**base, **{name: value for name, value in changes.items() if value is not None}}
        return {name: value for name, value in merged.items() if changes.get(name, "") is not None}
    spelling: dict[str, str] = {}
    values: dict[str, str] = {}
    for name, value in base.items():
        key = name.upper()
        if key == "PATH" and key in values:
            value = _joined([*values[key].split(";"), *value.split(";")], ";")
        spelling.setdefault(key, name)
        values[key] = value
    for name, change in changes.items():
        key = name.upper()
        spelling.setdefault(key, name)
        if change is None:
            values.pop(key, None)
        else:
            values[key] = change
    return {spelling[key]: value for key, value in values.items()}


def prepend_path(environment: Mapping[str, str], folders: Iterable[str], *, windows: bool = WINDOWS) -> dict[str, str]:
    """`environment` with `folders` first on its search path, whatever case its name is written in; no folder twice."""
    separator = ";" if windows else ":"
    single = merge_environment(environment, {}, windows=windows)
    current = variable(single, "PATH", windows=windows)
    rest = current.split(separator) if current else []
    return merge_environment(single, {"PATH": _joined([*folders, *rest], separator)}, windows=windows)


def variable(environment: Mapping[str, str], name: str, *, windows: bool = WINDOWS) -> str | None:
    """The value of `name`, found without case on Windows."""
    if not windows:
        return environment.get(name)
    return next((value for key, value in environment.items() if key.upper() == name.upper()), None)


def child_environment(
    base: Mapping[str, str] | None = None,
    *,
    changes: Mapping[str, str | None] | None = None,
    drop: Iterable[str] = (),
    windows: bool = WINDOWS,
) -> dict[str, str]:
    """The environment to start a child with: `base` (the host's own by default) without `drop`, with `changes`.

    `drop` names the variables a child has no business knowing, such as the host's provider keys.
    """
    kept = merge_environment(os.environ if base is None else base, dict.fromkeys(drop), windows=windows)
    return merge_environment(kept, changes or {}, windows=windows)


def _joined(folders: Iterable[str], separator: str) -> str:
    return separator.join(dict.fromkeys(folders))
