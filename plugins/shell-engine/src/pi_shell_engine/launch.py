"""How the engine's process is started: an isolated interpreter that sees the standard library and two packages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pi_shell

BOOT = Path(__file__).with_name("boot.py")
FLAGS = ("-I", "-S", "-u", "-X", "utf8")
"""Isolated from PYTHON… variables and the current folder, no site-packages, unbuffered, UTF-8 everywhere.

Compiled modules are kept as usual: without them every start costs three times as much."""


def engine_argv(python: str) -> tuple[str, ...]:
    """The command line of an engine that runs on the interpreter `python`."""
    folders = dict.fromkeys(str(Path(file).parents[1]) for file in (__file__, str(pi_shell.__file__)))
    return (python, *FLAGS, str(BOOT), *folders)


def engine_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of the engine's own process: what any process needs; commands get theirs with each request."""
    return {name: value for name, value in env.items() if not name.upper().startswith("PYTHON")}


def start_folder() -> str:
    """A folder that exists as long as the engine may run, so that the engine keeps none of the user's in use."""
    return os.path.abspath(os.sep)
