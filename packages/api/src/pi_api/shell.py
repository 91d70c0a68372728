"""Shell tiers: what runs the commands of the `bash` tool."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from pi_api.settings import Settings

OnOutput = Callable[[bytes], Awaitable[None]]
"""Receives raw output as it comes, stdout and stderr in the order written."""

ShellCause = Literal["exited", "timeout", "cancelled", "died", "launch_failed", "refused"]


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """One command for a shell: its text, and how many seconds it may take (`None`: no limit).

    `stdin` is what the command reads. With `split` its standard error is kept out of the output and stands in the
    outcome.
    """

    command: str
    timeout: float | None = 120.0
    stdin: bytes = b""
    split: bool = False


@dataclass(frozen=True, slots=True)
class ShellOutcome:
    """How a command ended, told from facts and not from its text.

    `exit_code` is absent when there is none (0 is a code). `cwd` is the working directory afterwards. `refusal` is the
    identifier of a named refusal; `note` tells the model what it must know, such as that the shell was reset.
    `stderr` is the standard error where the request asked for it separately.
    """

    cause: ShellCause
    exit_code: int | None
    cwd: Path
    tier: str
    refusal: str | None = None
    note: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    stderr: bytes = b""


class ShellSession(Protocol):
    """A shell with memory (working directory, environment) that belongs to one agent session.

    Calls are serialised. Cancelling `run` kills everything the command started.
    """

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome: ...

    async def close(self) -> None: ...


@dataclass(slots=True)
class ShellState:
    """Directory and environment of a session's shell, owned by the host: tiers that are given one share it.

    A tier applies what a finished command changed with `apply`; `version` tells others that something is new.
    """

    cwd: Path
    env: Mapping[str, str]
    version: int = 0

    def apply(self, cwd: Path, env: Mapping[str, str]) -> None:
        """What holds from now on."""
        if cwd != self.cwd or env is not self.env:
            self.cwd, self.env = cwd, env
            self.version += 1


@dataclass(frozen=True, slots=True)
class ShellHost:
    """What a shell starts from: directory, environment, the session it belongs to.

    `settings` are there if a plugin keeps them. With `state` the directory and the environment are taken from there
    and kept there.
    """

    cwd: Path
    env: Mapping[str, str]
    session_id: str
    session: Any = None
    settings: Settings | None = None
    state: ShellState | None = None


class ShellTier(Protocol):
    """A way to run commands. `unavailable` says in one sentence why it cannot and what to do, or `None`."""

    @property
    def name(self) -> str: ...

    def unavailable(self, env: Mapping[str, str]) -> str | None: ...

    def open(self, host: ShellHost) -> ShellSession: ...


class SimpleTier(ShellTier, Protocol):
    """A tier for simple commands only, such as the PowerShell floor."""

    def takes(self, words: tuple[str, ...]) -> bool:
        """Whether it runs this command: its words after quote removal, with nothing left to expand."""
        ...


class JudgingTier(ShellTier, Protocol):
    """A tier that can tell before it runs a command that it refuses it."""

    def refusal(self, command: str) -> tuple[str, str] | None:
        """Identifier and message of the named refusal, or `None`; nothing runs."""
        ...


class ShellRouter(Protocol):
    """Chooses tiers command by command behind the one face of a session."""

    def open(self, host: ShellHost) -> ShellSession: ...
