"""How long a request may be silent, by what it is doing."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from pi_api.errors import ErrorKind

from pi_provider_anthropic.failures import RequestFailedError, failed


class Phase(Enum):
    """What a request waits for; the value completes the sentence of a stall's text."""

    CONNECT = "the response did not begin"
    FIRST = "no content came"
    ACTIVE = "the answer did not go on"
    QUIET = "the model's thinking did not go on"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of silence allowed in each phase."""

    connect: float = 120.0
    first: float = 120.0
    active: float = 180.0
    quiet: float = 600.0

    def of(self, phase: Phase) -> float:
        """The allowance of a phase."""
        return {
            Phase.CONNECT: self.connect,
            Phase.FIRST: self.first,
            Phase.ACTIVE: self.active,
            Phase.QUIET: self.quiet,
        }[phase]


class Watchdog:
    """Knows when silence has lasted too long. Keep-alive events do not count as life, content does."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self.phase = Phase.CONNECT
        self._since = clock()

    @property
    def deadline(self) -> float:
        """When the present silence has lasted too long, by the clock given."""
        return self._since + self._limits.of(self.phase)

    def alive(self, phase: Phase) -> None:
        """Something of substance came; from now on this phase's allowance counts."""
        self.phase = phase
        self._since = self._clock()

    def stalled(self) -> RequestFailedError:
        """The failure of having waited too long."""
        seconds = self._limits.of(self.phase)
        return failed(ErrorKind.STREAM_STALL, f"stream stalled: {self.phase.value} for {seconds:g} seconds.")
