"""What a scripted model says, as data: a `Turn` is the steps of one answer."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pi_api.errors import ErrorKind
from pi_api.usage import Usage


@dataclass(frozen=True, slots=True)
class Say:
    """A text block."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """A thinking block."""

    text: str
    signature: str | None = "signature"
    redacted: bool | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; without an `id` the provider numbers its calls `call-1`, `call-2`, ..."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True, slots=True)
class Hold:
    """The stream waits here until `release` is set; `reached` is set when it has come this far."""

    release: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Fail:
    """The stream ends in a failure, after what stands before it."""

    kind: ErrorKind = ErrorKind.OVERLOADED
    message: str = "the scripted provider is overloaded; try again later"
    status: int | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """A breach of contract: the stream raises."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class End:
    """A breach of contract: the stream ends without `Done` or `Failed`."""


@dataclass(frozen=True, slots=True)
class Emit:
    """A breach of contract, or anything else: the stream yields this very value."""

    value: object


Step = Say | Think | Call | Hold | Fail | Raise | End | Emit


@dataclass(frozen=True, slots=True, init=False)
class Turn:
    """One answer: its steps in order (a string is a `Say`).

    `stop` is the stop reason; by default `toolUse` when there is a call, else `stop`.
    """

    steps: tuple[Step, ...]
    stop: Literal["stop", "length", "toolUse"]
    usage: Usage

    def __init__(
        self,
        *steps: Step | str,
        stop: Literal["stop", "length", "toolUse"] | None = None,
        usage: Usage = Usage(input=10, output=5, total_tokens=15),  # noqa: B008 (frozen)
    ) -> None:
        plain = tuple(Say(step) if isinstance(step, str) else step for step in steps)
        calls = any(isinstance(step, Call) for step in plain)
        object.__setattr__(self, "steps", plain)
        object.__setattr__(self, "stop", stop or ("toolUse" if calls else "stop"))
        object.__setattr__(self, "usage", usage)
