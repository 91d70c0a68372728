"""The one line that tells of project files left out because nobody has decided yet."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pi_api.events import Notice, SessionStart

from pi_trust.trust import ProjectTrust

if TYPE_CHECKING:
    from pi_api import Session
    from pi_kernel.bus import Bus

_SHOWN = 4


def announcer(session: "Session", bus: "Bus", trust: ProjectTrust) -> Callable[[SessionStart], Awaitable[None]]:
    """A handler that says at the start of a session what is left out, unless somebody decided that it should be."""

    async def announce(event: SessionStart) -> None:
        flags = session.options.flags
        if session.options.trusted or flags.get("no-approve"):
            return
        if problem := trust.problem():
            await bus.emit(Notice(f"nothing is trusted: {problem}"))
        elif trust.decision(session.cwd) is None and (found := trust.evidence(session.cwd)):
            await bus.emit(Notice(ignored(found, session.cwd)))

    return announce


def ignored(found: list[Path], cwd: Path) -> str:
    """What is left out and how to have it used."""
    shown = [_short(path, cwd) for path in found[:_SHOWN]]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return (
        f"this project is not trusted, so {', '.join(shown)}{more} had no effect; look at what is there, then "
        "`pi trust yes` to use it from now on or `--approve` for one run (`pi trust no` silences this)"
    )


def _short(path: Path, cwd: Path) -> str:
    try:
        return os.path.relpath(path, os.path.realpath(cwd)) if path.is_relative_to(os.path.realpath(cwd)) else str(path)
    except ValueError:
        return str(path)
