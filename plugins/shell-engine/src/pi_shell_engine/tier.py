"""The tier: what it needs, and the sessions it opens."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pi_api import SETTINGS, service
from pi_api.shell import ShellHost, ShellSession

if TYPE_CHECKING:
    from pi_api.settings import Settings


class EngineTier:
    """Runs the shell contract in a Python process of its own, on every system."""

    name = "engine"

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return None

    def refusal(self, command: str) -> tuple[str, str] | None:
        """The refusal a command gets before it runs."""
        from pi_shell import Refusal, parse

        from pi_shell_engine.builtins import CONTRACT
        from pi_shell_engine.engine.judging import judge

        try:
            judge(parse(command, windows_paths=os.name == "nt"), CONTRACT)
        except Refusal as refusal:
            return refusal.id, refusal.message
        return None

    def open(self, host: ShellHost) -> ShellSession:
        from pi_shell_engine.interpreter import choose
        from pi_shell_engine.session import EngineSession
        from pi_shell_engine.settings import EngineSettings

        settings = _settings(host)
        section = settings.read("shellEngine", EngineSettings) if settings else EngineSettings()
        shell_path = settings.get("shellPath") if settings else None
        powershell = find_powershell(host.env, shell_path, windows=os.name == "nt")
        return EngineSession(host, choose(section.python, host.env), powershell)


def _settings(host: ShellHost) -> Settings | None:
    if host.settings is None and host.session is not None:
        return service(host.session.kernel, SETTINGS)
    return host.settings


def find_powershell(env: Mapping[str, str], shell_path: Any, *, windows: bool) -> str | None:
    """Where PowerShell 7 is: the setting `shellPath`, the PATH, or its usual folder. It is looked for, not started."""
    if isinstance(shell_path, str) and os.path.basename(shell_path.replace("\\", "/")).lower() in ("pwsh", "pwsh.exe"):
        return shell_path
    found = shutil.which("pwsh", path=env.get("PATH", os.defpath))
    if found is None and windows:
        usual = os.path.join(env.get("ProgramFiles", r"C:\Program Files"), "PowerShell", "7", "pwsh.exe")
        found = usual if os.path.isfile(usual) else None
    return found
