"""Behaviours of kernel and agent are broken on purpose, one by one, and each time a test has to fail.

The cases stand in mutations.toml. A mutated copy of the package goes before the installed one on the import path.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.workspace.tree import ROOT

LEAST = 10
DEADLINE = 240.0
TESTS_FAILED = 1


@dataclass(frozen=True)
class Mutation:
    """One behaviour, where it lives, how it is broken and which test has to notice."""

    breaks: str
    file: str
    old: str
    new: str
    test: str

    @property
    def package(self) -> Path:
        """The package the file belongs to."""
        path = ROOT / self.file
        return next(parent for parent in path.parents if parent.parent.name == "src")

    def mutated(self) -> str:
        """The text of the file with the behaviour broken; the file has the old text exactly once."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"{self.file} has {text.count(self.old)} times: {self.old}"
        return text.replace(self.old, self.new)


CASES = [
    Mutation(**case)
    for case in tomllib.loads(Path(__file__).with_name("mutations.toml").read_text(encoding="utf-8"))["mutation"]
]
each_mutation = pytest.mark.parametrize("case", CASES, ids=[case.breaks for case in CASES])


def run(test: str, before: Path, scratch: Path) -> "subprocess.CompletedProcess[str]":
    """Run a test with a folder before everything else on the import path."""
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    command += ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", str(ROOT / test.partition("::")[0])]
    command[-1] += "".join(test.partition("::")[1:])
    env = {**os.environ, "PYTHONPATH": str(before), "PYTHONDONTWRITEBYTECODE": "1"}
    env["HYPOTHESIS_STORAGE_DIRECTORY"] = str(scratch / "hypothesis")
    env.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(
        command,
        cwd=scratch,
        env=env,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_ten_behaviours_of_each_are_broken() -> None:
    broken = Counter(case.package.name for case in CASES)
    assert min(broken["pi_kernel"], broken["pi_agent"]) >= LEAST
    assert len({(case.file, case.old, case.new) for case in CASES}) == len(CASES)


@each_mutation
def test_a_mutation_fits_the_file_and_is_python(case: Mutation) -> None:
    compile(case.mutated(), case.file, "exec")


@each_mutation
def test_a_test_fails_when_a_behaviour_is_broken(case: Mutation, tmp_path: Path) -> None:
    copy = tmp_path / "before" / case.package.name
    shutil.copytree(case.package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / (ROOT / case.file).relative_to(case.package)).write_text(case.mutated(), encoding="utf-8", newline="\n")
    done = run(case.test, copy.parent, tmp_path)
    assert done.returncode == TESTS_FAILED, f"exit {done.returncode}, not noticed:\n{done.stdout[-2000:]}{done.stderr}"
    assert "1 failed" in done.stdout or "1 error" in done.stdout


def test_a_copy_without_a_mutation_passes(tmp_path: Path) -> None:
    """What fails above fails because of the mutation."""
    for package in {case.package for case in CASES}:
        shutil.copytree(package, tmp_path / "before" / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    where = tmp_path / "test_where.py"
    checks = "\n".join(f"    assert {str(tmp_path)!r} in {name}.__file__" for name in ("pi_agent", "pi_kernel"))
    where.write_text(f"import pi_agent, pi_kernel\n\ndef test_where():\n{checks}\n", encoding="utf-8")
    shown = run(str(where), tmp_path / "before", tmp_path)
    assert shown.returncode == 0, shown.stdout
    done = run("plugins/agent/tests/test_agent_runs.py", tmp_path / "before", tmp_path)
    assert done.returncode == 0, done.stdout
