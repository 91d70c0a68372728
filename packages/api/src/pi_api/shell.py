"""Shell tiers: what runs the commands of the `bash` tool."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

OnOutput = Callable[[bytes], Awaitable[None]]
"""Receives raw output as it comes, stdout and stderr in the order written."""

ShellCause = Literal["exited", "timeout", "cancelled", "died", "launch_failed", "refused"]


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """One command for a shell: its text, and how many seconds it may take (`None`: no limit)."""

    command: str
    timeout: float | None = 120.0


@dataclass(frozen=True, slots=True)
class ShellOutcome:
    """How a command ended, told from facts and not from its text.

    `exit_code` is absent when there is none (0 is a code). `cwd` is the working directory afterwards. `refusal` is the
    identifier of a named refusal; `note` tells the model what it must know, such as that the shell was reset.
    """

    cause: ShellCause
    exit_code: int | None
    cwd: Path
    tier: str
    refusal: str | None = None
    note: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class ShellSession(Protocol):
    """A shell with memory (working directory, environment) that belongs to one agent session.

    Calls are serialised. Cancelling `run` kills everything the command started.
    """

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ShellHost:
    """What a shell starts from: directory, environment, the session it belongs to."""

    cwd: Path
    env: Mapping[str, str]
    session_id: str
    session: Any = None


class ShellTier(Protocol):
    """A way to run commands. `unavailable` says in one sentence why it cannot and what to do, or `None`."""

    @property
    def name(self) -> str: ...

    def unavailable(self, env: Mapping[str, str]) -> str | None: ...

    def open(self, host: ShellHost) -> ShellSession: ...


class ShellRouter(Protocol):
    """Chooses tiers command by command behind the one face of a session."""

    def open(self, host: ShellHost) -> ShellSession: ...
