"""What a branch of a session was last used with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class TypedEntry(Protocol):
    """What is read of a session entry here."""

    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """The model (`provider`, `id`) and thinking level that were last in use on a branch."""

    model: tuple[str, str] | None = None
    thinking: str | None = None


def remembered(path: Sequence[TypedEntry]) -> Remembered:
    """What was last in use: the later of model change and assistant message, and the last level change."""
    model: tuple[str, str] | None = None
    thinking: str | None = None
    for entry in reversed(path):
        if entry.type == "thinking_level_change" and thinking is None:
            thinking = str(entry.data.get("thinkingLevel"))
        elif entry.type in ("model_change", "message") and model is None:
            model = _model_in(entry)
        if model is not None and thinking is not None:
            break
    return Remembered(model, thinking)


def _model_in(entry: TypedEntry) -> tuple[str, str] | None:
    data = entry.data
    if entry.type == "model_change":
        return str(data.get("provider")), str(data.get("modelId"))
    message = data.get("message")
    if isinstance(message, Mapping) and message.get("role") == "assistant":
        return str(message.get("provider")), str(message.get("model"))
    return None
