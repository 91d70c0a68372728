"""What pi needs of the machine, and what it makes use of."""

import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pi_api import DoctorCheck, DoctorView, Finding
from pi_kernel import jsonc

OLDEST_PYTHON = (3, 11)


def python_version(version: tuple[int, ...], name: str) -> Finding:
    """The interpreter is new enough; `version` begins with major and minor."""
    if version[:2] >= OLDEST_PYTHON:
        return Finding(True, f"{name} {'.'.join(map(str, version[:3]))}")
    wanted = ".".join(map(str, OLDEST_PYTHON))
    return Finding(False, f"{name} {'.'.join(map(str, version[:3]))} is too old", f"install Python {wanted} or later")


def writable_folder(folder: Path) -> Finding:
    """Files can be made in a folder, or in the closest one above it that exists; nothing is left behind."""
    existing = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        remedy = f"make {existing} a folder that you may write to, or choose another one"
        return Finding(False, f"{folder} cannot be written: {error.strerror or error}", remedy)
    return Finding(True, f"{folder}{'' if existing == folder else ' (not made yet)'}")


def settings_file(path: Path) -> Finding:
    """A settings file is absent, or can be understood."""
    try:
        found = jsonc.loads(path.read_text("utf-8-sig").strip() or "{}")
    except (FileNotFoundError, NotADirectoryError):
        return Finding(True, f"{path} (not made yet)")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return Finding(False, f"{path} is not JSON at {where}: {error.msg}", "correct it there")
    except (OSError, UnicodeDecodeError) as error:
        return Finding(False, f"{path} cannot be read: {error}", "make it a readable UTF-8 file")
    if not isinstance(found, dict):
        return Finding(False, f"{path} does not hold a JSON object", "put its content into {...}")
    return Finding(True, str(path))


def program(names: tuple[str, ...], use: str, view: DoctorView, which: Callable[..., str | None]) -> Finding:
    """One of some programs is on the search path."""
    for name in names:
        if found := which(name, path=view.env.get("PATH", os.defpath)):
            return Finding(True, found)
    return Finding(False, "not found", f"{use}; install {' or '.join(names)} to have it")


def _program(name: str, names: tuple[str, ...], use: str) -> DoctorCheck:
    return DoctorCheck(name, name, partial(_look_for, names, use))


def _look_for(names: tuple[str, ...], use: str, view: DoctorView) -> Finding:
    return program(names, use, view, shutil.which)


def _python(view: DoctorView) -> Finding:
    return python_version(sys.version_info[:3], platform.python_implementation())


def _agent_dir(view: DoctorView) -> Finding:
    return writable_folder(view.agent_dir)


def _settings(view: DoctorView) -> Finding:
    return settings_file(view.agent_dir / "settings.json")


CHECKS = (
    DoctorCheck("python", "Python", _python, required=True),
    DoctorCheck("agent-dir", "agent folder", _agent_dir, required=True),
    DoctorCheck("settings", "settings", _settings, required=True),
    _program("git", ("git",), "some skills and many projects work with git"),
    _program("rg", ("rg",), "searching is done in Python, more slowly"),
    _program("fd", ("fd", "fdfind"), "finding files is done in Python, more slowly"),
)
