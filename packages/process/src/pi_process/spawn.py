"""What to start and how to treat its output: plain values, no system calls."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Stdin(enum.Enum):
    """Where a child's standard input comes from when it is not a fixed byte string."""

    CLOSED = "closed"
    """End of file at once, so nothing ever waits for an answer that cannot come."""
    PIPE = "pipe"
    """Written through `Process.write`, ended by `Process.close_stdin`."""


class Stream(enum.StrEnum):
    """The output stream a chunk was read from; merged output is all STDOUT."""

    STDOUT = "stdout"
    STDERR = "stderr"


class Chunk(NamedTuple):
    """One read from a child's output: never empty, at most 64 KiB, cut anywhere."""

    stream: Stream
    data: bytes


Sink: TypeAlias = Callable[[Chunk], None]
"""Called in the event loop for each chunk, in order of arrival. It must not block; what it raises ends the call."""


@dataclass(frozen=True, slots=True)
class Spawn:
    """One program to start.

    `argv[0]` is looked up on the PATH of `env`; no shell is involved. `cwd` and `env` default to the host's own.
    With `new_group` the child leads its own session (POSIX) or process group (Windows), so a Ctrl+C typed at the host
    does not reach it. `hidden` keeps Windows from opening a console window and means nothing elsewhere.
    """

    argv: tuple[str, ...]
    cwd: str | os.PathLike[str] | None = None
    env: Mapping[str, str] | None = None
    stdin: Stdin | bytes = Stdin.CLOSED
    merge_stderr: bool = True
    new_group: bool = True
    hidden: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.argv, str):
            raise TypeError("Spawn.argv is a tuple of strings, not one string; a command line needs a shell's argv")
        object.__setattr__(self, "argv", tuple(self.argv))
        if not self.argv or not self.argv[0]:
            raise ValueError("Spawn.argv names no program; its first item must be a program's name or path")

    @property
    def streams(self) -> tuple[Stream, ...]:
        """The output pipes this child gets."""
        return (Stream.STDOUT,) if self.merge_stderr else (Stream.STDOUT, Stream.STDERR)


@dataclass(frozen=True, slots=True)
class Drain:
    """How long output is awaited after the direct child has exited, in seconds.

    Whatever still holds the pipe (a background grandchild) is waited for until nothing arrived for `idle` seconds, and
    never longer than `cap` in all.
    """

    idle: float = 0.3
    cap: float = 5.0

    def __post_init__(self) -> None:
        if self.idle < 0 or self.cap < 0:
            raise ValueError(f"Drain times are seconds and not negative, got idle={self.idle} cap={self.cap}")


DEFAULT_DRAIN = Drain()


class Leftovers(enum.Enum):
    """What happens to processes that outlive the direct child once its call is over."""

    KILL = "kill"
    KEEP = "keep"
    """They run on until `kill_all`, which the interpreter's exit calls."""
