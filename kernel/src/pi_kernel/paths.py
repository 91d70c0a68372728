"""Where pi keeps its things. Pure decisions over an injected view of the machine."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from pi_kernel import jsonc

AGENT_DIR_VARIABLE = "PI_CODING_AGENT_DIR"
DISABLED_PLUGINS_VARIABLE = "PI_DISABLED_PLUGINS"


def choose_agent_dir(env: Mapping[str, str], home: PurePath, exists: Callable[[PurePath], bool]) -> PurePath:
    """The folder of user settings, sessions and state.

    In order: `PI_CODING_AGENT_DIR`; `~/.pi/agent` when it exists; `pi/agent` under `%APPDATA%` (Windows, when that
    exists) or under a set `XDG_CONFIG_HOME`; else `~/.pi/agent`. `home` decides the flavour of path.
    """
    if chosen := env.get(AGENT_DIR_VARIABLE):
        return home / chosen[2:] if chosen[:2] in ("~/", "~\\") else type(home)(chosen)
    default = home / ".pi" / "agent"
    if exists(default):
        return default
    if isinstance(home, PureWindowsPath):
        roaming = env.get("APPDATA")
        return type(home)(roaming, "pi", "agent") if roaming and exists(type(home)(roaming, "pi", "agent")) else default
    config = env.get("XDG_CONFIG_HOME")
    return type(home)(config, "pi", "agent") if config and PurePosixPath(config).is_absolute() else default


def agent_dir(env: Mapping[str, str] = os.environ) -> Path:
    """`choose_agent_dir` on this machine."""
    return Path(choose_agent_dir(env, Path.home(), lambda path: Path(path).is_dir()))


def disabled_plugins(settings_file: Path) -> frozenset[str]:
    """The plugins that the user's settings switch off (`{"plugins": {"disabled": [...]}}`).

    Read here, not by the settings plugin, so that a plugin that breaks settings can still be switched off. A file that
    is absent or unreadable switches nothing off; the settings plugin reports it.
    """
    try:
        settings = jsonc.loads(settings_file.read_text("utf-8-sig"))
        return frozenset(name for name in settings["plugins"]["disabled"] if isinstance(name, str))
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def plugins_disabled_by(env: Mapping[str, str]) -> frozenset[str]:
    """The plugins that `PI_DISABLED_PLUGINS` switches off: names between commas or blanks."""
    return frozenset(filter(None, re.split(r"[,\s]+", env.get(DISABLED_PLUGINS_VARIABLE, ""))))
