"""The variables of a shell: one map for shell variables and exported environment, as the contract has it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TypeAlias

DEFAULT_IFS = " \t\n"


class PosixVariables(dict[str, str]):
    """Names with case. `encoded` keeps what the system gets until something changes."""

    __slots__ = ("_encoded",)

    def __init__(self, values: Mapping[str, str]) -> None:
        super().__init__(values)
        self._encoded: dict[bytes, bytes] | None = None

    def __setitem__(self, name: str, value: str) -> None:
        self._encoded = None
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        self._encoded = None
        super().__delitem__(name)

    def copy(self) -> PosixVariables:
        """The same variables; changes of one are not seen in the other."""
        copied = PosixVariables(self)
        copied._encoded = self._encoded
        return copied

    def encoded(self) -> Mapping[bytes, bytes]:
        """For a new process; what no process can receive is left out."""
        if self._encoded is None:
            self._encoded = {
                os.fsencode(name): os.fsencode(value)
                for name, value in self.items()
                if name and "=" not in name and "\0" not in value
            }
        return self._encoded


class WindowsVariables(MutableMapping[str, str]):
    """Names without case; a variable keeps the spelling it was first given."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values: dict[str, tuple[str, str]] = {}
        for name, value in values.items():
            self[name] = value

    def __getitem__(self, name: str) -> str:
        return self._values[name.upper()][1]

    def __setitem__(self, name: str, value: str) -> None:
        key = name.upper()
        spelled = self._values.get(key)
        self._values[key] = (spelled[0] if spelled else name, value)

    def __delitem__(self, name: str) -> None:
        del self._values[name.upper()]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    def passable(self) -> dict[str, str]:
        """For a new process; what no process can receive is left out."""
        return {name: value for name, value in self.items() if name and "=" not in name and "\0" not in value}

    def copy(self) -> WindowsVariables:
        """The same variables; changes of one are not seen in the other."""
        copied = WindowsVariables({})
        copied._values = dict(self._values)
        return copied


Variables: TypeAlias = PosixVariables | WindowsVariables


def variables(values: Mapping[str, str], *, windows: bool) -> Variables:
    """The variables of a new shell."""
    return WindowsVariables(values) if windows else PosixVariables(values)


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    """What must be set, or removed (`None`), to come from `before` to `after`."""
    delta: dict[str, str | None] = {name: value for name, value in after.items() if before.get(name) != value}
    delta.update({name: None for name in before if name not in after})
    return delta


def home(variables: Mapping[str, str], *, windows: bool) -> str | None:
    """The home directory, or `None` when nothing tells it."""
    found = variables.get("HOME")
    if found is not None:
        return found
    if windows:
        drive, path = variables.get("HOMEDRIVE"), variables.get("HOMEPATH")
        found = variables.get("USERPROFILE") or (drive + path if drive and path else None)
        return found.replace("\\", "/") if found else None
    if sys.platform == "win32":
        return None
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None


def value_of(variables: Mapping[str, str], name: str, *, windows: bool) -> str:
    """What `$name` stands for; the few variables that bash gives a value by itself have it here too."""
    value = variables.get(name)
    if value is not None:
        return value
    match name:
        case "IFS":
            return DEFAULT_IFS
        case "HOME" if windows:
            return home(variables, windows=True) or ""
        case "HOSTNAME":
            import platform

            return platform.node()
        case _:
            return ""
