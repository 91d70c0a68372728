"""The trust service."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_api import DoctorCheck, DoctorView, Finding, UsageError

from pi_trust.evidence import Surroundings, evidence
from pi_trust.store import TrustStore, UnreadableStore, nearest, same_folder

if TYPE_CHECKING:
    from pi_kernel import Kernel


class ProjectTrust:
    """`pi_api.services.Trust` over the store in the agent folder. Links are followed before anything is compared."""

    def __init__(self, agent_dir: Path, home: Path) -> None:
        self.store = TrustStore(agent_dir / "state" / "trust.json")
        self._around = Surroundings(_real(home), _real(agent_dir), lambda path: Path(path).exists())

    def evidence(self, cwd: Path) -> list[Path]:
        """What of this directory only a trusted project may bring, nearest first."""
        return [Path(path) for path in evidence(_real(cwd), self._around)]

    def needed(self, cwd: Path) -> bool:
        return bool(self.evidence(cwd))

    def deciding(self, cwd: Path) -> tuple[Path, bool] | None:
        """The folder whose decision counts for this directory, and the decision; `UnreadableStore` is raised."""
        found = nearest(self.store.decisions(), _real(cwd), same_folder)
        return (Path(found[0]), found[1]) if found else None

    def decision(self, cwd: Path) -> bool | None:
        try:
            found = self.deciding(cwd)
        except UnreadableStore:
            return None
        return found[1] if found else None

    def decide(self, cwd: Path, trusted: bool | None) -> None:
        self.store.decide(_real(cwd), trusted)

    def trusted(self, cwd: Path, flags: Mapping[str, Any]) -> bool:
        approved, refused = bool(flags.get("approve")), bool(flags.get("no-approve"))
        if approved and refused:
            raise UsageError("--approve and --no-approve contradict each other; give one of them")
        return not refused and (approved or self.decision(cwd) is True)

    def problem(self) -> str:
        """Why the store grants nothing although it is there; "" when it is in order."""
        try:
            self.store.decisions()
        except UnreadableStore as error:
            return str(error)
        return ""


def trust_of(kernel: "Kernel") -> ProjectTrust:
    """The trust service of this machine's user."""
    return ProjectTrust(kernel.agent_dir, Path.home())


def check(view: DoctorView) -> Finding:
    """The stored decisions can be read."""
    trust = ProjectTrust(view.agent_dir, Path.home())
    if problem := trust.problem():
        return Finding(False, problem, "until then no project is trusted")
    found = trust.decision(view.cwd)
    words = {True: "this directory is trusted", False: "this directory is not trusted", None: "nothing decided here"}
    return Finding(True, words[found])


CHECK = DoctorCheck("trust", "trust", check)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
