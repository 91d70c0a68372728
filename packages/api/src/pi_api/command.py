"""Slash commands, command-line flags and modes: the ways in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pi_api.messages import Image
from pi_api.session import Session

if TYPE_CHECKING:
    from pi_kernel import Kernel


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a slash command may use; `say` shows a line to the person who typed it."""

    session: Session
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command: `/name arguments`. `complete` offers completions of an argument prefix."""

    name: str
    description: str
    run: Callable[[str, CommandContext], Awaitable[None]]
    complete: Callable[[str], Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A command-line flag of `pi [options] [@file...] [message...]`.

    `name` is its long form without dashes; its value is found under that name in `SessionOptions.flags`. `kind`:
    `switch` (true or false), `text`, `optional` (text that may be left out, then ""), or `list` (may be repeated).
    `section` groups it in `--help`.
    """

    name: str
    help: str
    kind: Literal["switch", "text", "optional", "list"] = "switch"
    short: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    default: Any = None
    section: str = "options"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One message from the command line with its images."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ModeRun:
    """What a mode is given: a session not yet started, the prompts of the command line in order, all flags."""

    kernel: "Kernel"
    session: Session
    prompts: Sequence[Prompt]
    flags: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to talk to a session: `print`, `json`, `rpc`, `tui`. `run` returns the exit status.

    An `interactive` mode is chosen in a terminal when nothing else was asked for. A mode with `takes_prompts` false
    refuses messages and files on the command line.
    """

    name: str
    description: str
    run: Callable[[ModeRun], Awaitable[int]]
    interactive: bool = False
    takes_prompts: bool = True
