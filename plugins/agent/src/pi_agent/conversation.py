"""A session's tree as a live conversation: the context of the current branch, kept up to date at constant cost."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pi_api.messages import CustomMessage, Message, ToolResultMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.remembered import remembered
from pi_api.usage import Usage
from pi_kernel.tree import Entry, SessionTree
from pi_kernel.tree.errors import BadFields

from pi_agent.branch import context_of

CATCH_UP = 64
"""Entries appended by others that are read one by one; beyond that, and after a compaction, all is read anew."""


class Conversation:
    """Reads and extends the branch that the tree's leaf stands on.

    Entries appended by others, and moves of the leaf, are noticed. `problems` names entries that cannot be read.
    """

    def __init__(self, tree: SessionTree) -> None:
        self.tree = tree
        self.problems: list[str] = []
        self._leaf: str | None = None
        self._messages: list[Message] = []
        self._usage: Usage | None = None
        self._in_use: tuple[tuple[str, str] | None, str | None] = (None, None)
        self._rebuild()

    @property
    def messages(self) -> Sequence[Message]:
        """The context; the same list as long as nothing changes."""
        if self.tree.leaf_id != self._leaf:
            self._catch_up()
        return self._messages

    @property
    def usage(self) -> Usage:
        """What all branches together have used."""
        if self._usage is None:
            self._usage = sum((_usage_of(entry.data) for entry in self.tree.entries() if _may_use(entry)), Usage())
        return self._usage

    def record(self, message: Message) -> str | None:
        """Store a message at the leaf; the text of a problem when part of it cannot be stored."""
        messages = self.messages
        problem = None
        try:
            entry = self.tree.append(*_entry(message))
        except BadFields as error:
            if not isinstance(message, ToolResultMessage | CustomMessage) or message.details is None:
                raise
            problem = f"the details of a {type(message).__name__} are no JSON and were left out: {error}"
            message = replace(message, details=None)
            entry = self.tree.append(*_entry(message))
        self._leaf = entry.id
        assert isinstance(messages, list)
        messages.append(message)
        if self._usage is not None and (usage := getattr(message, "usage", None)) is not None:
            self._usage += usage
        return problem

    def append(self, entry_type: str, fields: Mapping[str, Any]) -> Entry:
        """Store an entry that is no message."""
        current = self.tree.leaf_id == self._leaf
        entry = self.tree.append(entry_type, fields)
        if current:
            self._leaf = self.tree.leaf_id
        return entry

    def note_in_use(self, model: Model, level: ThinkingLevel) -> None:
        """Store which model and level are in use, when the branch says something else."""
        known_model, known_level = self._in_use
        if known_model != (model.provider, model.id):
            self.append("model_change", {"provider": model.provider, "modelId": model.id})
        if known_level != str(level):
            self.append("thinking_level_change", {"thinkingLevel": str(level)})
        self._in_use = ((model.provider, model.id), str(level))

    def drop(self, message: Message) -> None:
        """Take a failed answer out of the live context; it stays in the file."""
        messages = self.messages
        assert isinstance(messages, list)
        for at in range(len(messages) - 1, -1, -1):
            if messages[at] == message:
                del messages[at]
                return

    def _catch_up(self) -> None:
        steps: list[Entry] = []
        at = self.tree.leaf_id
        while at is not None and at != self._leaf and len(steps) < CATCH_UP:
            steps.append(self.tree.get(at))
            at = steps[-1].parent_id
        if at != self._leaf or any(step.type == "compaction" for step in steps):
            self._rebuild()
            return
        added, last = context_of(steps[::-1]), remembered(steps[::-1])
        self._in_use = (last.model or self._in_use[0], last.thinking or self._in_use[1])
        self._messages += added.messages
        self.problems += added.problems
        self._usage = None
        self._leaf = self.tree.leaf_id

    def _rebuild(self) -> None:
        path = self.tree.path()
        context = context_of(path)
        last = remembered(path)
        self._messages = context.messages
        self.problems = context.problems
        self._in_use = (last.model, last.thinking)
        self._usage = None
        self._leaf = self.tree.leaf_id


def _entry(message: Message) -> tuple[str, dict[str, Any]]:
    if not isinstance(message, CustomMessage):
        return "message", {"message": message.to_json()}
    data = message.to_json()
    return "custom_message", {key: data[key] for key in ("customType", "content", "display", "details") if key in data}


def _may_use(entry: Entry) -> bool:
    return entry.type in ("message", "compaction", "branch_summary") and b'"usage"' in entry.raw


def _usage_of(data: Mapping[str, Any]) -> Usage:
    message = data.get("message")
    found = message.get("usage") if isinstance(message, Mapping) else data.get("usage")
    return Usage.from_json(found) if isinstance(found, Mapping) else Usage()
