"""The context of a branch of the session tree: what the model is to know, as messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from pi_api.messages import (
    AssistantMessage,
    BranchSummary,
    CompactionSummary,
    CustomMessage,
    Message,
    content_from_json,
    message_from_json,
)

Data = Mapping[str, Any]


class EntryView(Protocol):
    """What is read of a session entry."""

    @property
    def type(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def timestamp(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...


@dataclass(slots=True)
class BranchContext:
    """The messages, and what could not be read."""

    messages: list[Message] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def context_of(path: Sequence[EntryView]) -> BranchContext:
    """The context of a path from the root to a leaf.

    The last compaction on the path replaces everything before it: its summary stands first, then follow the entries it
    kept, then all after it. Entries that cannot be read are left out and named in `problems`.
    """
    context = BranchContext()
    for entry in _in_context(path):
        try:
            message = message_of(entry)
        except (ValueError, KeyError, TypeError) as error:
            context.problems.append(f"entry {entry.id} ({entry.type}) cannot be read and is left out: {error}")
            continue
        if message is not None:
            context.messages.append(message)
    return context


def message_of(entry: EntryView) -> Message | None:
    """The message an entry puts into the context, or `None`; `ValueError`, `KeyError` or `TypeError` when malformed."""
    if entry.type not in _READERS:
        return None
    return _READERS[entry.type](entry.data, milliseconds(entry.timestamp))


def milliseconds(stamp: str) -> int:
    """An ISO 8601 time as milliseconds since 1970; 0 when it is none."""
    try:
        return round(datetime.fromisoformat(stamp).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


def _in_context(path: Sequence[EntryView]) -> list[EntryView]:
    last = next((at for at in range(len(path) - 1, -1, -1) if path[at].type == "compaction"), None)
    if last is None:
        return list(path)
    data = path[last].data
    before, after = path[:last], path[last + 1 :]
    retention = data.get("retention")
    if isinstance(retention, Mapping):
        kept: Sequence[EntryView] = [entry for entry in before if entry.id == retention.get("userEntryId")]
        return [*kept, path[last], *after]
    first = next((at for at, entry in enumerate(before) if entry.id == data.get("firstKeptEntryId")), len(before))
    return [path[last], *before[first:], *after]


def _message(data: Data, stamp: int) -> Message:
    message = data["message"]
    if not isinstance(message, Mapping):
        raise ValueError("its message is no object")
    return message_from_json({"timestamp": stamp, **message})


def _custom(data: Data, stamp: int) -> Message:
    content = content_from_json(data["content"])
    return CustomMessage(str(data["customType"]), content, bool(data.get("display", True)), stamp, data.get("details"))


def _branch_summary(data: Data, stamp: int) -> Message:
    return BranchSummary(str(data["summary"]), str(data.get("fromId", "")), stamp)


def _compaction(data: Data, stamp: int) -> Message:
    return CompactionSummary(str(data["summary"]), int(data.get("tokensBefore", 0)), stamp)


_READERS = {
    "message": _message,
    "custom_message": _custom,
    "branch_summary": _branch_summary,
    "compaction": _compaction,
}


def failed(message: Message) -> bool:
    """An assistant message that is not an answer: the request failed or was aborted."""
    return isinstance(message, AssistantMessage) and message.stop_reason in ("error", "aborted")
