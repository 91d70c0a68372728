"""How much each way of starting pi imports, counted in a process of its own."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.installed import needs_pi, new_user, pi_command

BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
IMPORTED = re.compile(r"^import time: +\d+ \| +\d+ \| +(\S+)$", re.MULTILINE)


def imported(arguments: list[str], env: Mapping[str, str], cwd: Path) -> set[str]:
    """Run Python with `arguments` and give the names of all modules it imported; the run must succeed."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(
        command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return set(IMPORTED.findall(done.stderr))


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has never run pi."""
    return new_user(tmp_path)


@needs_pi
@pytest.mark.parametrize("budget", BUDGETS.values(), ids=list(BUDGETS))
def test_a_command_imports_no_more_than_its_budget(
    budget: dict[str, Any], home: dict[str, str], tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "one.py").write_text("print(1)\n", encoding="utf-8")
    added = imported([str(pi_command()), *budget["arguments"]], home, work) - imported(["-c", "pass"], home, work)
    heavy = {name for name in added if name.partition(".")[0] in budget["absent"]}
    assert heavy == set()
    assert "only" not in budget or added <= set(budget["only"])
    assert len(added) <= budget["most"], sorted(added)


@needs_pi
def test_the_kernel_says_its_version_without_more_than_python_needs_to_run_a_module(
    home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "empty.py").touch()
    added = imported(["-m", "pi_kernel", "--version"], home, tmp_path) - imported(["-m", "empty"], home, tmp_path)
    assert added <= {"pi_kernel", "pi_kernel.main"}


def test_counting_sees_an_import(home: dict[str, str], tmp_path: Path) -> None:
    assert "json.decoder" in imported(["-c", "import json"], home, tmp_path)
