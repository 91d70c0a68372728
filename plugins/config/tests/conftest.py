"""`pi config` run against plugins written for the test: some built in, some of third parties, never to be imported."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pi_config.command import main
from pi_kernel import Kernel
from pi_kernel import kernel as kernel_module
from pi_kernel.loader import PluginSource

BUILTIN = {"config": "pi_config.plugin", "settings": "pi_settings.plugin", "trust": "pi_trust.plugin"}
NEVER = """
    from pathlib import Path
    Path(__file__).with_suffix(".imported").touch()
    raise SystemExit('a third party was imported')
"""
HANGING = "import threading; threading.Event().wait()"


@dataclass
class Desk:
    """Installed plugins, an agent folder and a directory to work in."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    env: dict[str, str] = field(default_factory=dict)
    sources: list[PluginSource] = field(default_factory=list)

    @property
    def agent_dir(self) -> Path:
        return self.folder / "agent"

    @property
    def project_file(self) -> Path:
        return self.folder / "project" / ".pi" / "settings.json"

    def install(self, name: str, target: str = "", *, builtin: bool = False, code: str = NEVER) -> None:
        distribution = f"pi-{name}" if builtin else f"their-{name}"
        if not target:
            target = f"t_config_{name.replace('-', '_')}"
            (self.folder / "site" / f"{target}.py").write_text(dedent(code), "utf-8")
        self.sources.append(PluginSource(name, target, distribution, "1.0", str(self.folder / "site"), ""))

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        kernel = Kernel(bundle="pi", env=self.env, sources=lambda: list(self.sources), deadline=60)
        try:
            status = main(kernel, arguments)
        except SystemExit as left:
            status = int(left.code or 0)
        finally:
            kernel.close()
        said = self.capsys.readouterr()
        return status, said.out.rstrip("\n"), said.err.rstrip("\n")

    @property
    def imported(self) -> list[str]:
        """The third-party modules that were imported although they must never be."""
        return sorted(path.stem for path in (self.folder / "site").glob("*.imported"))

    def settings(self, project: bool = False) -> Any:
        path = self.project_file if project else self.agent_dir / "settings.json"
        return json.loads(path.read_text("utf-8"))

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    for folder in ("site", "agent", "home", "project"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    monkeypatch.chdir(tmp_path / "project")
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    for module in [name for name in sys.modules if name.startswith("t_config_")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(kernel_module, "requirements", lambda bundle: frozenset({"pi-owner", "pi-packed", *_dists()}))
    made = Desk(tmp_path, capsys, {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")})
    for name, target in BUILTIN.items():
        made.install(name, target, builtin=True)
    return made


def _dists() -> list[str]:
    return [f"pi-{name}" for name in BUILTIN]


@pytest.fixture
def owner(desk: Desk) -> Callable[[], None]:
    """A built-in plugin that owns a section, and one that brings skills."""
    desk.write(
        "site/t_config_models.py",
        dedent("""
            from typing import Literal
            from pydantic import BaseModel
            class Owned(BaseModel):
                level: Literal["low", "high"] = "low"
                count: int = 3
                label: str = "x"
        """),
    )
    desk.install(
        "owner",
        builtin=True,
        code="""
            from pi_api import Resource, SettingsSection
            from pi_kernel import hookimpl
            @hookimpl
            def pi_settings(register):
                register(SettingsSection("owned", "t_config_models:Owned", env=(("PI_OWNED_COUNT", "count"),)))
            @hookimpl
            def pi_resources(register):
                register(Resource("skill", "t_config_packed", "skills"))
        """,
    )
    desk.write("site/t_config_packed/__init__.py", "raise SystemExit('imported')")
    desk.write("site/t_config_packed/skills/packed/SKILL.md", "---\nname: packed\ndescription: From a plugin.\n---\n")
    return lambda: None
