"""A conversation as it may be sent again to a model that need not have written it.

What other providers left in it is made acceptable: failed answers are dropped with their tool results, foreign thinking
becomes text, identifiers and tool names are rewritten, calls without a result get one that says so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pi_api.messages import AssistantMessage, Image, Text, Thinking, ToolCall, ToolResultMessage, UserMessage
from pi_api.model import Model
from pi_api.provider import ProviderMessage

NO_IMAGES = "(an image stood here; this model does not see images)"
INTERRUPTED = "The call was interrupted; whether it had any effect is not known."
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64

Block = Text | Thinking | ToolCall


@dataclass(slots=True)
class Names:
    """Unique names of letters, digits, `_` and `-`, at most 64 long, for names of any kind; and the way back."""

    _given: dict[str, str] = field(default_factory=dict)
    _taken: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """The acceptable name that stands for this one, the same every time."""
        if name not in self._given:
            base = _FOREIGN.sub("_", name)[:_LONGEST] or "_"
            chosen, number = base, 1
            while chosen in self._taken:
                number += 1
                suffix = f"_{number}"
                chosen = base[: _LONGEST - len(suffix)] + suffix
            self._given[name], self._taken[chosen] = chosen, name
        return self._given[name]

    def back(self, name: str) -> str:
        """The name that an acceptable one stands for; unknown ones stand for themselves."""
        return self._taken.get(name, name)


def names_of(tools: Iterable[str]) -> Names:
    """Names for these tools; those that need no change keep theirs whatever the order."""
    names, listed = Names(), list(tools)
    for tool in sorted(listed, key=lambda one: (bool(_FOREIGN.search(one)) or len(one) > _LONGEST, listed.index(one))):
        names.of(tool)
    return names


def replayable(messages: Sequence[ProviderMessage], model: Model, tools: Names) -> list[ProviderMessage]:
    """The messages as this model accepts them."""
    ids = Names()
    kept = [_adapted(message, model, tools, ids) for message in messages if not _failed(message)]
    return list(_with_results(kept))


def _failed(message: ProviderMessage) -> bool:
    return isinstance(message, AssistantMessage) and message.stop_reason in ("error", "aborted")


def _adapted(message: ProviderMessage, model: Model, tools: Names, ids: Names) -> ProviderMessage:
    sees = "image" in model.input
    if isinstance(message, UserMessage):
        if isinstance(message.content, str) or sees:
            return message
        return replace(message, content=_without_images(message.content))
    if isinstance(message, ToolResultMessage):
        content = message.content if sees else _without_images(message.content)
        return replace(message, tool_call_id=ids.of(message.tool_call_id), content=content)
    own = (message.provider, message.api, message.model) == (model.provider, model.api, model.id)
    blocks = (_block(block, own, tools, ids) for block in message.content)
    return replace(message, content=tuple(block for block in blocks if block is not None))


def _block(block: Block, own: bool, tools: Names, ids: Names) -> Block | None:
    if isinstance(block, ToolCall):
        return replace(block, id=ids.of(block.id), name=tools.of(block.name))
    if isinstance(block, Text):
        return block if block.text.strip() else None
    if own and block.thinking_signature:
        return block
    return Text(block.thinking) if block.thinking.strip() and not block.redacted else None


def _without_images(content: tuple[Text | Image, ...]) -> tuple[Text | Image, ...]:
    return tuple(Text(NO_IMAGES) if isinstance(block, Image) else block for block in content)


def _with_results(messages: Sequence[ProviderMessage]) -> Iterator[ProviderMessage]:
    """Results directly behind their calls, one each in the calls' order; those of no call are left out."""
    results = {one.tool_call_id: one for one in messages if isinstance(one, ToolResultMessage)}
    for message in messages:
        if isinstance(message, ToolResultMessage):
            continue
        if isinstance(message, UserMessage):
            yield message
        elif message.content:
            yield message
            for call in message.tool_calls:
                yield results.get(call.id) or _interrupted(call, message.timestamp)


def _interrupted(call: ToolCall, timestamp: int) -> ToolResultMessage:
    return ToolResultMessage(call.id, call.name, (Text(INTERRUPTED),), is_error=True, timestamp=timestamp)
