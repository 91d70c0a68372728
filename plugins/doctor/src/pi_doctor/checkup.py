"""Everything `pi doctor` looks at: the checks of plugins, and what the kernel knows."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pi_api import SETTINGS, TRUST, DoctorCheck, DoctorView, Finding, service
from pi_api.kinds import DOCTOR_CHECKS, PROVIDERS, SETTINGS_SECTIONS, SHELL_TIERS
from pi_kernel.kernel import plugin_deadline
from pi_kernel.loader import PluginFailure, PluginInfo, PluginState, Warden

from pi_doctor.machine import writable_folder
from pi_doctor.report import Line

if TYPE_CHECKING:
    from pi_api import Provider, SettingsSection, ShellTier
    from pi_api.settings import Settings
    from pi_kernel import Kernel

T = TypeVar("T")

SESSION_DIR_VARIABLE = "PI_CODING_AGENT_SESSION_DIR"


class Checkup:
    """Asks plugins for what they know; each question is contained, as the kernel contains hooks."""

    def __init__(self, kernel: "Kernel", cwd: Path) -> None:
        self._kernel = kernel
        self._view = DoctorView(kernel.env, cwd, kernel.agent_dir)
        self._warden = Warden(plugin_deadline(kernel.env))

    def lines(self) -> list[Line]:
        """All findings: the doctor's own first, then other plugins', then what the kernel knows of plugins."""
        try:
            checks = self._kernel.all(DOCTOR_CHECKS)
            own = [self._checked(one.value, one.plugin) for one in checks if one.plugin == "doctor"]
            others = [self._checked(one.value, one.plugin) for one in checks if one.plugin != "doctor"]
            known = [*self._sessions(), *self._settings(), *self._models(), *self._shells()]
            return [*own, *known, *others, *self._plugins()]
        finally:
            self._warden.close()

    def _checked(self, check: DoctorCheck, plugin: str) -> Line:
        try:
            finding = self._warden.call(check.check, self._view)
        except (Exception, SystemExit) as error:
            finding = _failed(error, plugin)
        return Line(check.name, check.label, finding, check.required, plugin)

    def _sessions(self) -> Iterator[Line]:
        """The folder that sessions go to, however it was chosen."""
        settings = service(self._kernel, SETTINGS)
        configured = settings.get("sessions.dir") if settings else None
        chosen = self._kernel.env.get(SESSION_DIR_VARIABLE) or configured
        default = self._view.agent_dir / "sessions"
        folder = self._view.cwd / Path(chosen).expanduser() if isinstance(chosen, str) and chosen else default
        yield Line("sessions", "sessions", writable_folder(folder), required=True)

    def _settings(self) -> Iterator[Line]:
        """Values that their owners refuse; the user's file, when it cannot be read, has a check of its own."""
        settings = service(self._kernel, SETTINGS)
        if settings is None:
            return
        checked, trust = set(settings.problems), service(self._kernel, TRUST)
        settings.use_project(str(self._view.cwd), trusted=trust is not None and trust.decision(self._view.cwd) is True)
        for found in self._kernel.all(SETTINGS_SECTIONS):
            _, failure = self._ask(found.plugin, partial(_read, settings, found.value))
            if failure:
                yield Line("setting", f"settings of {found.plugin}", Finding(False, failure), plugin=found.plugin)
        for problem in settings.problems:
            if problem not in checked:
                remedy = "correct it with `pi config set` or remove it with `pi config unset`"
                yield Line("setting", "setting", Finding(False, problem, remedy), plugin="settings")

    def _models(self) -> Iterator[Line]:
        ready: list[str] = []
        for found in self._kernel.all(PROVIDERS):
            reason, failure = self._ask(found.plugin, partial(_unavailable, found.value, self._kernel.env))
            problem = failure or reason
            if problem is None:
                ready.append(found.name)
            else:
                finding = Finding(False, "not ready", str(problem))
                yield Line(f"provider:{found.name}", f"provider {found.name}", finding, plugin=found.plugin)
        remedy = "install a provider, such as pi-provider-offline, which needs neither key nor network"
        finding = Finding(bool(ready), f"ready: {', '.join(ready)}" if ready else "no provider is ready", remedy)
        yield Line("models", "models", finding, required=True)

    def _shells(self) -> Iterator[Line]:
        for found in self._kernel.all(SHELL_TIERS):
            reason, failure = self._ask(found.plugin, partial(_unavailable, found.value, self._kernel.env))
            problem = failure or reason
            finding = Finding(True, "ready") if problem is None else Finding(False, "not usable here", str(problem))
            yield Line(f"shell:{found.name}", f"shell {found.name}", finding, plugin=found.plugin)

    def _plugins(self) -> Iterator[Line]:
        """Every failure so far, and one line that counts the plugins."""
        infos = self._kernel.plugins()
        builtin = {info.name for info in infos if info.builtin}
        failures = [one for one in self._kernel.failures if isinstance(one, PluginFailure)]
        for one in failures:
            finding = Finding(False, f"failed in {one.step}: {one.reason}", _remedy(one, infos))
            label = f"plugin {one.plugin}"
            yield Line(f"plugin:{one.plugin}", label, finding, required=one.plugin in builtin, plugin=one.plugin)
        yield Line("plugins", "plugins", Finding(True, _counted(infos)))

    def _ask(self, plugin: str, question: Callable[[], T]) -> tuple[T | None, str | None]:
        """An answer, or what went wrong on the way to it."""
        try:
            return self._warden.call(question), None
        except (Exception, SystemExit) as error:
            return None, f"plugin {plugin!r} failed when asked: {type(error).__name__}: {error}"


def _failed(error: BaseException, plugin: str) -> Finding:
    remedy = f"tell the authors of plugin {plugin!r}, or switch it off with `pi config disable {plugin}`"
    return Finding(False, f"the check itself failed: {type(error).__name__}: {error}", remedy)


def _remedy(failure: PluginFailure, infos: list[PluginInfo]) -> str:
    info = next((info for info in infos if info.name == failure.plugin), None)
    again = f"reinstall or update {info.source.distribution}, or " if info else ""
    return f"{again}switch it off with `pi config disable {failure.plugin}`"


def _counted(infos: list[PluginInfo]) -> str:
    words = {
        PluginState.LOADED: "loaded",
        PluginState.AVAILABLE: "not loaded (`--load` loads them)",
        PluginState.DISABLED: "switched off",
        PluginState.FAILED: "failed",
    }
    counts = {word: sum(info.state is state for info in infos) for state, word in words.items()}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "none"


def _read(settings: "Settings", section: "SettingsSection") -> None:
    module, _, name = section.model.partition(":")
    settings.read(section.name, getattr(import_module(module), name))


def _unavailable(source: "Provider | ShellTier", env: Mapping[str, str]) -> str | None:
    return source.unavailable(env)
