"""Session messages as the three kinds of message that a provider knows."""

import re
from collections.abc import Iterable, Iterator

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

from pi_agent.replay import replayed
from pi_agent.texts import text


def provider_messages(messages: Iterable[Message], model: Model) -> list[ProviderMessage]:
    """What a model is sent for a context: every message in a form that this model accepts."""
    return replayed(converted(messages), model)


def converted(messages: Iterable[Message]) -> Iterator[ProviderMessage]:
    """Summaries, plugin messages and shell commands as user messages; the rest unchanged."""
    for message in messages:
        match message:
            case UserMessage() | AssistantMessage() | ToolResultMessage():
                yield message
            case CustomMessage():
                yield UserMessage(message.content, message.timestamp)
            case CompactionSummary():
                yield UserMessage(text("compaction").format(summary=message.summary), message.timestamp)
            case BranchSummary():
                yield UserMessage(text("branch").format(summary=message.summary), message.timestamp)
            case BashExecution() if not message.exclude_from_context:
                yield UserMessage(bash_text(message), message.timestamp)


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
