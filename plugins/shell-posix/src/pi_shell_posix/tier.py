"""The tier: where bash is, and whether it can be used."""

import os
import shutil
import sys
from collections.abc import Mapping

from pi_api.shell import ShellHost, ShellSession

CANDIDATES = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash")


class PosixTier:
    """Runs commands in a persistent bash; not for Windows, where other tiers do this."""

    name = "posix"

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        if sys.platform == "win32":
            return "the posix tier does not run on Windows; install a shell tier for Windows"
        return None if find_bash(env) else "no bash on PATH or in /bin; install bash"

    def open(self, host: ShellHost) -> ShellSession:
        from pi_shell_posix.session import BashSession

        bash = find_bash(host.env)
        if bash is None:
            raise FileNotFoundError(str(self.unavailable(host.env)))
        return BashSession(bash, host)


def find_bash(env: Mapping[str, str]) -> str | None:
    """The bash on the PATH given, else in the usual places."""
    found = shutil.which("bash", path=env.get("PATH", os.defpath))
    return found or next((path for path in CANDIDATES if os.access(path, os.X_OK)), None)
