"""Finding, making and forking sessions by what the command line asks for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_api import SETTINGS, Leave, UsageError, service
from pi_api.services import OpenedSession
from pi_kernel.tree import SessionInfo, SessionTree, directory_name, list_sessions, new_session_path

from pi_sessions.listing import session_table

if TYPE_CHECKING:
    from pi_kernel import Kernel

DIRECTORY_VARIABLE = "PI_CODING_AGENT_SESSION_DIR"
ID = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")

_SOURCES = ("session", "session-id", "continue", "resume", "fork", "no-session")


def store_of(kernel: "Kernel") -> "SessionFiles":
    """The store of a kernel: its agent folder, its environment, its settings."""
    settings = service(kernel, SETTINGS)
    configured = ""
    if settings is not None:
        from pi_sessions.settings import SessionsSettings

        configured = settings.read("sessions", SessionsSettings).dir
    return SessionFiles(kernel.agent_dir / "sessions", kernel.env.get(DIRECTORY_VARIABLE) or configured)


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """Session files under `root`, one folder per project; or all in `chosen`, when that is set."""

    root: Path
    chosen: str = ""

    def directory(self, cwd: Path, flags: Mapping[str, Any]) -> Path:
        """Where sessions of a working directory go: flag, environment, setting, else a folder named after it."""
        chosen = flags.get("session-dir") or self.chosen
        return Path(chosen).expanduser() if chosen else self.root / directory_name(str(cwd))

    def list(self, cwd: Path | None = None) -> Sequence[SessionInfo]:
        """Stored sessions of a directory (`None`: of all), newest first."""
        if self.chosen:
            return list_sessions(Path(self.chosen).expanduser(), str(cwd) if cwd else None)
        if cwd is not None:
            return list_sessions(self.root / directory_name(str(cwd)), str(cwd))
        found = [info for folder in self.root.glob("*/") for info in list_sessions(folder)]
        return sorted(found, key=lambda info: info.modified, reverse=True)

    def open(self, cwd: Path, flags: Mapping[str, Any]) -> OpenedSession:
        """The session that the flags ask for."""
        asked = [name for name in _SOURCES if flags.get(name)]
        if len(asked) > 1:
            raise UsageError(f"--{asked[0]} and --{asked[1]} contradict each other; give one of them")
        opened = self._opened(cwd, flags, asked[0] if asked else "new")
        if name := flags.get("name"):
            opened.tree.rename(name)
        return opened

    def _opened(self, cwd: Path, flags: Mapping[str, Any], how: str) -> OpenedSession:
        match how:
            case "no-session":
                return OpenedSession(SessionTree.in_memory(str(cwd)), "new")
            case "session":
                return self._resume(self._find(flags["session"], cwd, flags))
            case "session-id":
                return self._by_exact_id(flags["session-id"], cwd, flags)
            case "fork":
                return self._fork(self._find(flags["fork"], cwd, flags, anywhere=True), cwd, flags)
            case "continue":
                newest = next(iter(list_sessions(self.directory(cwd, flags), str(cwd))), None)
                return self._resume(newest.path) if newest else self._new(cwd, flags)
            case "resume":
                raise Leave(session_table(list_sessions(self.directory(cwd, flags), str(cwd)), cwd))
            case _:
                return self._new(cwd, flags)

    def _new(self, cwd: Path, flags: Mapping[str, Any], session_id: str | None = None) -> OpenedSession:
        path = new_session_path(self.directory(cwd, flags), session_id)
        return OpenedSession(SessionTree.create(path, str(cwd)), "new")

    def _resume(self, path: Path) -> OpenedSession:
        tree = SessionTree.open(path)
        if not Path(tree.header.cwd).is_dir():
            gone = tree.header.cwd
            tree.close()
            raise UsageError(f"session {path.name} was started in {gone}, which is gone; `--fork` continues it here")
        return OpenedSession(tree, "resume")

    def _fork(self, path: Path, cwd: Path, flags: Mapping[str, Any]) -> OpenedSession:
        with SessionTree.open(path, read_only=True) as source:
            target = new_session_path(self.directory(cwd, flags))
            return OpenedSession(source.copy_all_to(target, str(cwd)), "fork", path)

    def _by_exact_id(self, session_id: str, cwd: Path, flags: Mapping[str, Any]) -> OpenedSession:
        if not ID.fullmatch(session_id):
            raise UsageError(f"{session_id!r} is no session id; use letters, digits, dots, dashes and underscores")
        for info in list_sessions(self.directory(cwd, flags), str(cwd)):
            if info.id == session_id:
                return self._resume(info.path)
        return self._new(cwd, flags, session_id)

    def _find(self, wanted: str, cwd: Path, flags: Mapping[str, Any], *, anywhere: bool = False) -> Path:
        if "/" in wanted or "\\" in wanted or wanted.endswith(".jsonl"):
            return Path(cwd, Path(wanted).expanduser())
        here = _matching(wanted, list_sessions(self.directory(cwd, flags), str(cwd)))
        if here:
            return here.path
        elsewhere = _matching(wanted, self.list())
        if elsewhere is None:
            raise UsageError(f"no session has the id {wanted!r}; `pi -r` lists those of this directory")
        if not anywhere and elsewhere.cwd != str(cwd):
            raise UsageError(
                f"session {elsewhere.id} belongs to {elsewhere.cwd}; run pi there, or `--fork {wanted}` to copy it here"
            )
        return elsewhere.path


def _matching(wanted: str, sessions: Sequence[SessionInfo]) -> SessionInfo | None:
    """The session of exactly this id, or the only one whose id begins so; `UsageError` when several do."""
    exact = next((info for info in sessions if info.id == wanted), None)
    if exact:
        return exact
    beginning = [info for info in sessions if info.id.startswith(wanted)]
    if len(beginning) > 1:
        raise UsageError(f"{len(beginning)} sessions begin with {wanted!r}; give more of the id:\n{_ids(beginning)}")
    return beginning[0] if beginning else None


def _ids(sessions: Sequence[SessionInfo]) -> str:
    return "\n".join(f"  {info.id}  {info.name or info.first_text[:60]}" for info in sessions[:10])
