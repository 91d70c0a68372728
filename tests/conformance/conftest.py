"""What the tests of the contract share: one warm machine, a folder for each case, the real bash."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.machine import Machine


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The machine front on the engine, warm for all cases."""
    made = Machine("engine", tmp_path_factory.mktemp("machine"))
    yield made
    made.close()


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Where a case runs; whoever runs it fills the folder."""
    return tmp_path / "box"


@pytest.fixture(scope="session")
def bash() -> str:
    """The real bash to compare with."""
    found = shutil.which("bash")
    if found is None or sys.platform == "win32":
        pytest.skip("compares with a real bash, which is not on PATH here")
    return found
