"""Scripts: JSON files of turns that the model plays one after the other instead of understanding requests.

`script.schema.json` beside this file is the JSON Schema of the format. pydantic is imported only with this
module, that is, when there is a script.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pi_api.errors import ErrorKind, PiError, ProviderFailure
from pi_api.usage import Usage
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from pi_provider_offline.phrasing import counted
from pi_provider_offline.streaming import Reply


class ScriptError(PiError):
    """A script that cannot be played: which file, where in it, what is wrong."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True, frozen=True)


class ScriptedCall(_Part):
    """A tool call of a turn."""

    name: str = Field(description="the tool")
    arguments: dict[str, Any] = Field(default_factory=dict)
    id: str | None = Field(default=None, description="made up when absent; unique within the session when present")


class ScriptedFailure(_Part):
    """The end of a turn that fails, after whatever else the turn holds has been streamed."""

    kind: ErrorKind
    message: str = "failed as the script says"
    status: int | None = None
    retry_after: float | None = Field(default=None, ge=0, description="seconds")


class ScriptedUsage(_Part):
    """Token counts to report instead of simulated ones."""

    input: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0)
    cache_read: int = Field(default=0, ge=0)
    cache_write: int = Field(default=0, ge=0)

    def counted(self) -> Usage:
        """The counts with their total."""
        counts = (self.input, self.output, self.cache_read, self.cache_write)
        return Usage(*counts, total_tokens=sum(counts))


class ScriptedTurn(_Part):
    """One answer of the model: thinking, then text, then tool calls, then perhaps a failure."""

    thinking: str = ""
    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    failure: ScriptedFailure | None = None
    cut: bool = Field(default=False, description="the answer stops for want of length (stop reason `length`)")
    wait: float = Field(default=0, ge=0, description="seconds before anything is streamed")
    delay: float = Field(default=0, ge=0, description="seconds before each delta")
    usage: ScriptedUsage | None = None

    @model_validator(mode="after")
    def _holds_something(self) -> "ScriptedTurn":
        if not (self.thinking or self.text or self.tool_calls or self.failure):
            raise ValueError("a turn needs at least one of thinking, text, toolCalls, failure")
        return self

    def reply(self, turn: int) -> Reply:
        """This turn as a reply; `turn` makes up the identifiers of calls that have none."""
        ids = (call.id or f"scripted_{turn}_{place}" for place, call in enumerate(self.tool_calls, 1))
        failure, used = self.failure, self.usage
        return Reply(
            text=self.text,
            thinking=self.thinking,
            calls=tuple((call.name, dict(call.arguments)) for call in self.tool_calls),
            ids=tuple(ids),
            failure=ProviderFailure(failure.kind, failure.message, failure.status, failure.retry_after)
            if failure
            else None,
            cut=self.cut,
            wait=self.wait,
            delay=self.delay,
            usage=used.counted() if used else None,
        )


class Script(_Part):
    """A whole script; `afterwards` says what answers requests when all turns are played."""

    turns: tuple[ScriptedTurn, ...] = Field(min_length=1)
    afterwards: Literal["fail", "understand"] = "fail"
    schema_: str | None = Field(default=None, alias="$schema", description="for editors")


def load_script(path: Path) -> Script:
    """Read a script; `ScriptError` names every place where it is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"The script {path} of the offline model cannot be read: {error}") from error
    try:
        return Script.model_validate_json(text)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'file'}: {one['msg']}" for one in error.errors())
        raise ScriptError(f"The script {path} of the offline model is not valid: {wrong}") from error


class Player:
    """Plays one script, for each session from its own place.

    A session that is new here starts after as many turns as its conversation already has answers.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._script = load_script(path)
        self._places: dict[str, int] = {}

    def next_reply(self, session_id: str, answers: int) -> Reply | None:
        """The next turn; `None` when the script leaves what follows to understanding."""
        place = self._places.get(session_id, answers) if session_id else answers
        self._places[session_id] = place + 1
        if place < len(self._script.turns):
            return self._script.turns[place].reply(place + 1)
        if self._script.afterwards == "understand":
            return None
        end = f"The script {self._path} of the offline model has only {counted(len(self._script.turns), 'turn')}."
        return Reply(failure=ProviderFailure(ErrorKind.INVALID_REQUEST, end))


def schema() -> Mapping[str, Any]:
    """The JSON Schema of the format, as it stands in `script.schema.json`."""
    return Script.model_json_schema(by_alias=True)
