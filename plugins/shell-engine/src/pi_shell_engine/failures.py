"""Why an engine could not finish a command."""

from __future__ import annotations

SHOWN = 400


class EngineFailure(Exception):
    """The coordinator process is of no use any more; the text says why. Whoever sees it kills the process."""


class EngineDied(EngineFailure):
    """The process ended before it had answered; `diagnostics` is what it left on its control pipe."""

    def __init__(self, exit_code: int | None, diagnostics: bytes) -> None:
        last = diagnostics.decode("utf-8", "replace").strip()[-SHOWN:]
        ended = f"ended with status {exit_code}" if exit_code is not None else "ended"
        super().__init__(f"the shell engine {ended} in the middle of a command{f': {last}' if last else ''}")
        self.exit_code = exit_code


class ProtocolViolation(EngineFailure):
    """What arrived is no answer to the request."""


class EngineUnavailable(Exception):
    """There is no interpreter to run the engine; the text says why and what to do."""
