"""A settings service over a fresh agent folder, with three sections registered."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api import SETTINGS, service

# The models are named by dotted names, as plugins name theirs, so they must be importable.
sys.path.insert(0, str(Path(__file__).parent))

from settings_models import Owner

Make = Callable[..., Any]


@pytest.fixture
def agent_dir(tmp_path: Path) -> Path:
    return tmp_path / "agent-dir"


@pytest.fixture
def make(plugin_host: Callable[..., Any]) -> Make:
    """A service reading the files that are there now: `make(*more_plugins, env={})`."""

    def build(*plugins: object, env: dict[str, str] | None = None) -> Any:
        host = plugin_host("pi_settings.plugin", Owner(), *plugins, env=env)
        return service(host.kernel, SETTINGS)

    return build


@pytest.fixture
def user_file(agent_dir: Path) -> Callable[[str], Path]:
    """Write the user's settings and give their path."""

    def write(text: str) -> Path:
        agent_dir.mkdir(parents=True, exist_ok=True)
        path = agent_dir / "settings.json"
        path.write_bytes(text.encode())
        return path

    return write


@pytest.fixture
def project_file(tmp_path: Path) -> Callable[[str], Path]:
    """Write the settings of a project beside the agent folder and give their path."""

    def write(text: str) -> Path:
        path = tmp_path / "project" / ".pi" / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write
