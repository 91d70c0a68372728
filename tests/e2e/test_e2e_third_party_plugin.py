"""The README's plugin in ten lines, installed with pip: it adds a tool, a command and a handler, and leaves no trace.

Everything happens in a virtual environment made for the test, which sees what is installed beside the tests.
"""

import json
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from tests.installed import is_installed, new_user
from tests.workspace.tree import ROOT

OLDEST_SETUPTOOLS = Version("70.1")
"""The first that makes wheels without the distribution `wheel`."""
RUN = "import sys; sys.argv[0] = 'pi'; from pi_main import main; main()"
SCRIPT = {
    "turns": [
        {"toolCalls": [{"name": "shout", "arguments": {"text": "as loud as can be"}}]},
        {"text": "It was shouted."},
    ]
}


def recipe(folder: Path) -> Path:
    """Write the recipe of the README to a folder: each block to the file that its first line names."""
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.partition("## A plugin in ten lines")[2].partition("\n## ")[0]
    blocks = re.findall(r"```\w+\n# (\S+?):?(?: [^\n]*)?\n(.*?)```", section, re.DOTALL)
    assert [name for name, _ in blocks] == ["pyproject.toml", "pi_shout.py"]
    for name, content in blocks:
        (folder / name).write_text(content, "utf-8")
    return folder


@dataclass(frozen=True)
class Place:
    """A virtual environment, the user in it, and the project to work in."""

    python: Path
    env: Mapping[str, str]
    project: Path

    def call(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run the environment's Python; a failure fails the test with what was said."""
        command = [str(self.python), *arguments]
        options: dict[str, Any] = {"capture_output": True, "encoding": "utf-8", "stdin": subprocess.DEVNULL}
        done = subprocess.run(command, env=self.env, cwd=self.project, timeout=300, check=False, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def pi(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return self.call("-c", RUN, *arguments)

    def events(self, prompt: str) -> list[dict[str, Any]]:
        lines = self.pi("--mode", "json", "--no-session", prompt).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def plugins(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.pi("plugins", "--json").stdout)["plugins"]
        return found

    def files(self) -> set[Path]:
        """Every file of the environment but bytecode."""
        root = self.python.parent.parent
        return {path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.fixture
def place(tmp_path: Path, home: Path, project: Path) -> Place:
    if not is_installed("pi"):
        pytest.skip("the distribution pi is not installed beside these tests")
    if not is_installed("setuptools") or Version(version("setuptools")) < OLDEST_SETUPTOOLS:
        pytest.skip(f"setuptools {OLDEST_SETUPTOOLS} or later is not installed, so the recipe cannot be built")
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=True)
    paths = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    beside = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    lines = "".join(f"import site; site.addsitedir({path!r})\n" for path in sorted(beside))
    Path(paths["purelib"], "beside.pth").write_text(lines, "utf-8")
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT), "utf-8")
    env = {
        **new_user(home),
        "PI_OFFLINE_SCRIPT": str(script),
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    env.pop("PYTHONPATH", None)
    made = Place(Path(paths["scripts"], "python.exe" if sys.platform == "win32" else "python"), env, project)
    # Python 3.11 puts an old setuptools into every environment, before the one beside the tests.
    made.call("-m", "pip", "uninstall", "--yes", "setuptools")
    return made


def test_it_installs_does_three_things_and_leaves_no_trace(place: Place, tmp_path: Path) -> None:
    source = tmp_path / "pi-shout"
    source.mkdir()
    before = (place.plugins(), place.files(), place.pi("config", "list").stdout)
    assert "shout" not in place.pi("plugins").stdout

    place.call("-m", "pip", "install", "--no-build-isolation", "--no-deps", str(recipe(source)))
    (shout,) = [plugin for plugin in place.plugins() if plugin["name"] == "shout"]
    assert (shout["distribution"], shout["version"], shout["builtin"]) == ("pi-shout", "1.0", False)
    (checked,) = [
        plugin
        for plugin in json.loads(place.pi("plugins", "--check", "--json").stdout)["plugins"]
        if plugin["name"] == "shout"
    ]
    assert (checked["state"], checked["failure"]) == ("loaded", None)

    done = place.pi("--no-session", "-p", "please shout")
    assert "It was shouted." in done.stdout
    assert "used shout" in done.stderr
    (result,) = [event for event in place.events("please shout") if event["type"] == "tool_execution_end"]
    assert "AS LOUD AS CAN BE" in json.dumps(result)
    assert place.pi("--no-session", "-p", "/hello you").stdout == "hello you\n"

    place.call("-m", "pip", "uninstall", "--yes", "pi-shout")
    assert (place.plugins(), place.files(), place.pi("config", "list").stdout) == before
    assert "AS LOUD AS CAN BE" not in json.dumps(place.events("please shout"))
