"""The shell of one agent session: opened with the first command, closed with the session."""

from typing import Any

from pi_api import SETTINGS, SHELL, ToolError, service
from pi_api.kinds import PROVIDERS, SHELL_TIERS
from pi_api.shell import ShellHost, ShellSession
from pi_process import child_environment

from pi_tool_bash.settings import BashSettings


class Shell:
    """Holds the shell session of an agent session; made empty."""

    def __init__(self) -> None:
        self._session: ShellSession | None = None

    def opened(self, session: Any) -> ShellSession:
        """The shell of this session. `ToolError` says why there can be none."""
        if self._session is None:
            self._session = _open(session)
        return self._session

    async def close(self) -> None:
        """End the shell and everything it started."""
        opened, self._session = self._session, None
        if opened is not None:
            await opened.close()


def settings_of(session: Any) -> BashSettings:
    """The section `bash`, or its defaults where no plugin keeps settings."""
    settings = service(session.kernel, SETTINGS)
    return settings.read("bash", BashSettings) if settings else BashSettings()


def _open(session: Any) -> ShellSession:
    kernel = session.kernel
    secrets = [] if settings_of(session).pass_secrets else _secret_variables(kernel)
    env = child_environment(dict(session.options.env), drop=secrets)
    host = ShellHost(session.cwd, env, session.tree.header.id, session)
    router = service(kernel, SHELL)
    if router is not None:
        return router.open(host)
    reasons = []
    for tier in kernel.all(SHELL_TIERS):
        reason = tier.value.unavailable(env)
        if reason is None:
            opened: ShellSession = tier.value.open(host)
            return opened
        reasons.append(f"{tier.name}: {reason}")
    raise ToolError(f"no shell can run commands here. {'; '.join(reasons) or 'No shell tier is installed'}")


def _secret_variables(kernel: Any) -> list[str]:
    return [name for provider in kernel.all(PROVIDERS) for name in provider.value.secret_variables]
