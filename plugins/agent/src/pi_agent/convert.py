"""Session messages as the three kinds of message that a provider knows."""

import re
from collections.abc import Sequence

from pi_api.messages import (
    AssistantMessage,
    BashExecution,
    BranchSummary,
    CompactionSummary,
    CustomMessage,
    Message,
    ToolResultMessage,
    UserMessage,
)
from pi_api.model import Model
from pi_api.provider import ProviderMessage

from pi_agent.replay import Replay
from pi_agent.texts import text


class Projection:
    """What a model is sent for a context that grows: only what is new since the last request is worked on."""

    def __init__(self) -> None:
        self._given: list[Message] = []
        self._replay: Replay | None = None

    def of(self, messages: Sequence[Message], model: Model) -> list[ProviderMessage]:
        """Every message of the context in a form that this model accepts."""
        known = len(self._given)
        if self._replay is None or self._replay.model != model or self._given != list(messages[:known]):
            self._replay, known = Replay(model), 0
        for message in messages[known:]:
            if (told := converted(message)) is not None:
                self._replay.add(told)
        self._given = list(messages)
        return self._replay.messages()


def provider_messages(messages: Sequence[Message], model: Model) -> list[ProviderMessage]:
    """What a model is sent for a context."""
    return Projection().of(messages, model)


def converted(message: Message) -> ProviderMessage | None:
    """Summaries, plugin messages and shell commands as user messages; what the model is not to see as `None`."""
    match message:
        case UserMessage() | AssistantMessage() | ToolResultMessage():
            return message
        case CustomMessage():
            return UserMessage(message.content, message.timestamp)
        case CompactionSummary():
            return UserMessage(text("compaction").format(summary=message.summary), message.timestamp)
        case BranchSummary():
            return UserMessage(text("branch").format(summary=message.summary), message.timestamp)
        case BashExecution() if not message.exclude_from_context:
            return UserMessage(bash_text(message), message.timestamp)
    return None


def bash_text(run: BashExecution) -> str:
    """A command the user ran, its output, and how it ended when that was not plainly well."""
    fence = _fence(run.command + run.output)
    told = text("bash").format(fence=fence, command=run.command, output=run.output or "(none)")
    if run.cancelled:
        told += "\n\nThe user stopped it before it ended."
    elif run.exit_code:
        told += f"\n\nExit code: {run.exit_code}"
    if run.truncated:
        where = f"; all of it is in {run.full_output_path}" if run.full_output_path else ""
        told += f"\n\nThe output is shortened{where}."
    return told


def _fence(content: str) -> str:
    """A fence longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", content)), default=2)
    return "`" * (longest + 1)
