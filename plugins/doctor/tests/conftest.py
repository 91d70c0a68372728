"""`pi doctor` and `pi plugins` run against plugins written for the test."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import pytest
from pi_doctor import doctor, plugins
from pi_kernel import Kernel
from pi_kernel import kernel as kernel_module
from pi_kernel.loader import PluginSource

NEVER = """
    from pathlib import Path
    Path(__file__).with_suffix(".imported").touch()
    raise SystemExit('a third party was imported')
"""

PROVIDER = """
    from pi_kernel import hookimpl
    class Provider:
        name = "here"
        last_resort = True
        def unavailable(self, env):
            return env.get("PI_TEST_PROVIDER")
    @hookimpl
    def pi_providers(register):
        register(Provider())
"""


@dataclass
class Ward:
    """Installed plugins, an agent folder and a directory to work in."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    env: dict[str, str] = field(default_factory=dict)
    sources: list[PluginSource] = field(default_factory=list)
    seconds: float = 60

    def install(
        self, name: str, code: str = NEVER, *, builtin: bool = False, requires: str = "", dist: str = ""
    ) -> None:
        module = f"t_doctor_{name.replace('-', '_')}_{len(self.sources)}"
        (self.folder / "site" / f"{module}.py").write_text(dedent(code), "utf-8")
        distribution = f"pi-{name}" if builtin else f"their-{name}"
        self.sources.append(PluginSource(name, module, distribution, "1.0", str(self.folder / "site"), requires))

    def doctor(self, *arguments: str) -> tuple[int, str]:
        """Exit status and what was printed."""
        return self._run(doctor.main, arguments)

    def plugins(self, *arguments: str) -> tuple[int, str]:
        """Exit status and what was printed."""
        return self._run(plugins.main, arguments)

    @property
    def imported(self) -> bool:
        """Third-party code was run although it must never be."""
        return any((self.folder / "site").glob("*.imported"))

    def _run(self, main: Callable[[Kernel, Sequence[str]], int], arguments: Sequence[str]) -> tuple[int, str]:
        env = {"PI_PLUGIN_DEADLINE": str(self.seconds), **self.env}
        kernel = Kernel(bundle="pi", env=env, sources=lambda: list(self.sources))
        try:
            status = main(kernel, arguments)
        finally:
            kernel.close()
        return status, self.capsys.readouterr().out.rstrip("\n")


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ward:
    for folder in ("site", "agent", "project"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    monkeypatch.chdir(tmp_path / "project")
    for module in [name for name in sys.modules if name.startswith("t_doctor_")]:
        monkeypatch.delitem(sys.modules, module)
    builtin = frozenset({"pi-doctor", "pi-provider", "pi-owned"})
    monkeypatch.setattr(kernel_module, "requirements", lambda bundle: builtin)
    made = Ward(tmp_path, capsys, {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")})
    made.sources.append(PluginSource("doctor", "pi_doctor.plugin", "pi-doctor", "1.0", "site", ""))
    made.install("provider", PROVIDER, builtin=True)
    return made
