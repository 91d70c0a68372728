"""Tools: what the model can call."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypeVar

from pi_api.errors import PiError
from pi_api.messages import Image, ResultContent, Text
from pi_api.usage import Usage

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers.

    `content` goes to the model, `details` (JSON) to sessions and screens. `is_error` with `error_kind`
    `operation_outcome` means that the tool ran and the answer is negative. `terminate` ends the run without another
    model call when every result of the batch has it.
    """

    content: ResultContent
    details: Any = None
    is_error: bool = False
    error_kind: Literal["tool_failure", "operation_outcome"] | None = None
    usage: Usage | None = None
    terminate: bool = False

    @classmethod
    def text(cls, text: str, **fields: Any) -> Self:
        """A result of one text block."""
        return cls((Text(text),), **fields)

    @property
    def plain(self) -> str:
        """All text of the result."""
        return "".join(block.text for block in self.content if isinstance(block, Text))

    @property
    def images(self) -> tuple[Image, ...]:
        return tuple(block for block in self.content if isinstance(block, Image))


class ToolError(PiError):
    """Raised by a tool that cannot do as asked; the model reads the text: what, on what, what to do instead."""


class ToolContext(Protocol):
    """What a running tool may use.

    `cwd` is the session's working directory. `update` shows a partial result (cumulative, not a delta). `state` gives
    the one instance of a class that belongs to this session, made on first use; tools share state through such classes.
    Cancellation arrives as `asyncio.CancelledError`.
    """

    @property
    def call_id(self) -> str: ...

    @property
    def cwd(self) -> Path: ...

    @property
    def session(self) -> Any: ...

    def state(self, kind: type[S]) -> S: ...

    async def update(self, partial: ToolResult) -> None: ...


Run = Callable[[dict[str, Any], ToolContext], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    `parameters`: a JSON Schema of type object, or just its `properties` (then all are required unless they have a
    `default`). `run` gets validated arguments and the context; it raises `ToolError` to refuse. `snippet` is the tool's
    line in the system prompt (none: not listed), `guidelines` are bullets added while the tool is active, `prepare`
    rewrites raw arguments before validation. A `sequential` tool never runs beside another of its batch. `untrusted`
    marks output that comes from outside (web, other agents).
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Run
    label: str = ""
    snippet: str = ""
    guidelines: Sequence[str] = ()
    execution: Literal["parallel", "sequential"] = "parallel"
    prepare: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    untrusted: bool = False
    active: bool = True

    @property
    def schema(self) -> dict[str, Any]:
        """The complete JSON Schema of the parameters."""
        given = self.parameters
        if given.get("type") == "object":
            return dict(given)
        required = [name for name, schema in given.items() if "default" not in schema]
        return {"type": "object", "properties": dict(given), "required": required, "additionalProperties": False}
