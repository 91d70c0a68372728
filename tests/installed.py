"""The installed `pi` as its user meets it: the command, and an environment in which nobody has used it yet."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest


def is_installed(name: str) -> bool:
    """Tell whether a distribution is installed beside the running tests."""
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False


needs_pi = pytest.mark.skipif(not is_installed("pi"), reason="the distribution pi is not installed beside these tests")


def pi_command() -> Path:
    """Give the path of the installed command `pi` (`pi.exe` on Windows)."""
    if sys.platform == "win32":
        return Path(sys.prefix, "Scripts", "pi.exe")
    return Path(sysconfig.get_path("scripts"), "pi")


def new_user(home: Path) -> dict[str, str]:
    """Give the environment of a user whose home is `home` and who has set no variable of pi or of a provider."""
    foreign = ("PI_", "ANTHROPIC_", "OPENAI_", "GEMINI_", "GOOGLE_", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    roaming = home / "AppData" / "Roaming"
    return {**kept, "HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(roaming), "NO_COLOR": "1"}


def run_pi(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: str | None = None,
    timeout: float = 120,
) -> subprocess.CompletedProcess[str]:
    """Run the installed `pi` to its end; without `stdin` its standard input is empty. `timeout` in seconds."""
    command = [str(pi_command()), *arguments]
    source = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run(
        command, env=env, cwd=cwd, capture_output=True, encoding="utf-8", timeout=timeout, check=False, **source
    )
