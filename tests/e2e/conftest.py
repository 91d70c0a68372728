"""What the end-to-end tests share: a new user in an empty project. On Windows only tests marked `windows` run."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.installed import is_installed, new_user, run_pi


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, on Windows, what is not marked as telling something there."""
    if sys.platform != "win32":
        return
    here = Path(__file__).parent
    unmarked = [item for item in items if here in item.path.parents and item.get_closest_marker("windows") is None]
    config.hook.pytest_deselected(items=unmarked)
    items[:] = [item for item in items if item not in unmarked]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty directory to run pi in, apart from the home."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a user who has never run pi."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def pi(home: Path, project: Path) -> Callable[..., CompletedProcess[str]]:
    """Run the installed `pi` as that user in that project: `pi(["-p", "hello"])`."""
    if not is_installed("pi"):
        pytest.skip("the distribution pi is not installed beside these tests")
    return partial(run_pi, env=new_user(home), cwd=project)
