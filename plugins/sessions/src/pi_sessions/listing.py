"""The plain list of sessions, for where there is no screen to choose on."""

from collections.abc import Sequence
from pathlib import Path

from pi_kernel.tree import SessionInfo

TITLE_WIDTH = 60


def session_table(sessions: Sequence[SessionInfo], cwd: Path) -> str:
    """One line a session, newest first: when last used, id, messages, name or first words; then how to open one."""
    if not sessions:
        return f'no sessions of {cwd} yet; `pi -p "…"` starts one'
    lines = [f"{_when(info.modified)}  {info.id}  {info.messages:>4} msgs  {title(info)}" for info in sessions]
    return "\n".join([*lines, "", f"open one with `pi --session {sessions[0].id}`, the newest with `pi -c`"])


def title(session: SessionInfo) -> str:
    """A session's name, or the beginning of its first message on one line."""
    text = session.name or " ".join(session.first_text.split()) or "(no message)"
    return text if len(text) <= TITLE_WIDTH else text[: TITLE_WIDTH - 1] + "…"


def _when(stamp: str) -> str:
    return stamp[:16].replace("T", " ")
