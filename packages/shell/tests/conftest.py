"""The real shells these tests compare with, and the case tables beside the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def cases(name: str) -> list[Any]:
    """The `[[case]]` rows of `name`, as parameters with readable identifiers."""
    rows = tomllib.loads((HERE / name).read_text(encoding="utf-8"))["case"]
    return [
        pytest.param(row, id=row.get("name") or row["source"].encode("unicode_escape").decode()[:60]) for row in rows
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test marked `@pytest.mark.cases("file.toml")` runs once for each row, as its argument `case`."""
    marker = metafunc.definition.get_closest_marker("cases")
    if marker is not None:
        metafunc.parametrize("case", cases(marker.args[0]))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cases(file): runs the test for every row of a table beside it")


@pytest.fixture(scope="session")
def bash() -> str:
    """A bash of version 5 or later."""
    found = shutil.which("bash")
    if found is None:
        pytest.skip("bash is not on PATH")
    asked = subprocess.run([found, "-c", "echo $BASH_VERSINFO"], check=True, capture_output=True, text=True)
    version = asked.stdout.strip()
    if not version.isdigit() or int(version) < 5:
        pytest.skip(f"bash is version {version or 'unknown'}; these comparisons need 5")
    return found


@pytest.fixture(scope="session")
def run_bash(bash: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """`run_bash(script, "-n")`: a script run in an empty folder with a bare environment."""
    folder, script_file = tmp_path_factory.mktemp("bash"), tmp_path_factory.mktemp("script") / "script"
    environment = {"PATH": os.environ["PATH"], "HOME": "/H", "LC_ALL": "C.UTF-8"}

    def run(script: str, *options: str) -> subprocess.CompletedProcess[bytes]:
        script_file.write_bytes(os.fsencode(script))
        command = [bash, "--norc", "--noprofile", *options, str(script_file)]
        return subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=environment, timeout=60
        )

    return run
