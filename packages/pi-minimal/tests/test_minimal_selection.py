"""The selection runs on its own, answers a question about a directory, and has nothing that could change it."""

import os
import subprocess
import sys
from importlib.metadata import distribution, entry_points
from pathlib import Path

from packaging.requirements import Requirement


def pinned() -> set[str]:
    """The distributions that the selection consists of."""
    return {Requirement(line).name for line in distribution("pi-minimal").requires or [] if "extra" not in line}


def plugins(*, chosen: bool) -> set[str]:
    """The installed plugins that belong to the selection, or those that do not."""
    found = entry_points(group="pi.plugins")
    return {point.name for point in found if point.dist is not None and (point.dist.name in pinned()) is chosen}


def run(arguments: list[str], home: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the kernel's command line as a new user with the plugins of the selection only."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PI_", "ANTHROPIC_"))}
    env |= {"HOME": str(home), "USERPROFILE": str(home), "PI_DISABLED_PLUGINS": ",".join(plugins(chosen=False))}
    command = [sys.executable, "-m", "pi_kernel", *arguments]
    options = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8", "timeout": 120}
    return subprocess.run(command, env=env, cwd=cwd, check=False, **options)


def test_no_tool_of_the_selection_changes_anything() -> None:
    tools = {name for name in plugins(chosen=True) if name.startswith("tool-")}
    assert tools == {"tool-find", "tool-grep", "tool-ls", "tool-read"}


def test_it_answers_a_question_about_a_directory(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("a.py", "b.py", "c.txt"):
        (project / name).write_text("x\n", encoding="utf-8")
    done = run(["-p", "how many Python files are there"], tmp_path / "home", project)
    assert done.returncode == 0, done.stderr
    assert "2" in done.stdout.replace(",", " ").split(), done.stdout
    assert sorted(path.name for path in project.iterdir()) == ["a.py", "b.py", "c.txt"]
