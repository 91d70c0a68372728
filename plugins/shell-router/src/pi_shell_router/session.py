"""The shell of one session: each command goes to the tier that its tree asks for; all tiers share one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pi_api.shell import OnOutput, ShellHost, ShellOutcome, ShellRequest, ShellSession, ShellState

from pi_shell_router.findings import may_find_nothing
from pi_shell_router.router import WINDOWS, Choices
from pi_shell_router.routing import FLOOR, POSIX, Route, route
from pi_shell_router.searches import Surroundings, broad_search

NOBODY = "router"
"""What an outcome names as its tier when none ran the command."""


class RoutedSession:
    """Opens a tier's session when the first command needs it."""

    def __init__(self, host: ShellHost, choices: Choices) -> None:
        self._state = host.state or ShellState(host.cwd, host.env)
        self._host = replace(host, state=self._state)
        self._choices = choices
        self._sessions: dict[str, ShellSession] = {}

    def route(self, command: str) -> Route:
        """Where `command` would go."""
        forced = self._choices.forced
        if forced is not None:
            return Route(forced, f"the tier {forced} was asked for")
        return route(command, self._choices.mode, self._choices.tiers, windows_paths=WINDOWS)

    def explain(self, command: str) -> Route:
        """As `route`, with the refusals that its tier can tell before running it."""
        found = self.route(command)
        judge = getattr(self._choices.installed.get(found.tier or ""), "refusal", None)
        refusal = judge(command) if judge is not None else None
        return found if refusal is None else Route(None, refusal[1], found.tree, refusal[0])

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        """Run a command on its tier; one that has none is refused before anything runs."""
        found = self.route(request.command)
        if found.tier is None:
            note = f"{found.refusal}: {found.reason}" if found.refusal else found.reason
            return self._refused(note, found.refusal)
        tier = self._choices.installed.get(found.tier)
        missing = f"the tier {found.tier} is not installed" if tier is None else tier.unavailable(self._state.env)
        if missing is not None:
            return self._refused(missing)
        broad = self._broad(found)
        if broad is not None:
            return self._refused(broad)
        outcome = await self._session(found.tier).run(request, on_output)
        # A tier that keeps its own directory, as bash does, is followed.
        self._state.apply(outcome.cwd, self._state.env)
        if outcome.exit_code == 1 and found.tree is not None and may_find_nothing(found.tree):
            return replace(outcome, details={**outcome.details, "searched": True})
        return outcome

    def _broad(self, found: Route) -> str | None:
        """Why an agent may not run this search; people may run any."""
        if self._host.session is None or found.tree is None or not self._choices.search_guard:
            return None
        env = self._state.env
        home = env.get("HOME") or (env.get("USERPROFILE") if WINDOWS else None)
        return broad_search(found.tree, Surroundings(str(self._state.cwd), home, WINDOWS))

    async def reset(self, cwd: Any, env: Mapping[str, str]) -> None:
        """Start over in another directory and environment, keeping the processes that can serve any."""
        self._state.apply(cwd, env)
        for name in (POSIX, FLOOR):
            session = self._sessions.pop(name, None)
            if session is not None:
                await session.close()

    async def close(self) -> None:
        """End every tier's session and all that they started."""
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            await session.close()

    def _session(self, tier: str) -> ShellSession:
        session = self._sessions.get(tier)
        if session is None:
            session = self._sessions[tier] = self._choices.installed[tier].open(
                replace(self._host, cwd=self._state.cwd, env=self._state.env)
            )
        return session

    def _refused(self, note: str, refusal: str | None = None) -> ShellOutcome:
        return ShellOutcome("refused", None, self._state.cwd, NOBODY, refusal, note)
