"""Building an assistant message from the stream events that announce it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pi_api.messages import AssistantMessage, Text, Thinking, ToolCall
from pi_api.model import Model
from pi_api.usage import Usage


@dataclass(slots=True)
class Answer:
    """An answer as it grows; `message` is what has arrived so far."""

    model: Model
    timestamp: int = 0
    content: list[Text | Thinking | ToolCall] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    def message(
        self, stop: Literal["stop", "length", "toolUse", "error", "aborted"] = "stop", **fields: Any
    ) -> AssistantMessage:
        """The answer with a stop reason; `fields` are further fields of the message."""
        model = self.model
        return AssistantMessage(
            tuple(self.content), model.api, model.provider, model.id, self.usage, stop, self.timestamp, **fields
        )


def build_message(model: Model, *content: Text | Thinking | ToolCall | str, **fields: Any) -> AssistantMessage:
    """An assistant message of a model; strings become text blocks, `stop` defaults to what the content says."""
    blocks = [Text(block) if isinstance(block, str) else block for block in content]
    calls = any(isinstance(block, ToolCall) for block in blocks)
    stop = fields.pop("stop", "toolUse" if calls else "stop")
    return Answer(model, fields.pop("timestamp", 0), blocks, fields.pop("usage", Usage())).message(stop, **fields)
