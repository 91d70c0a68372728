"""Replaying a conversation to a model that may not be the one that held it.

The rules: answers that failed are left out with the results of their calls; every call has exactly one result, in the
order of the calls; reasoning of another model becomes text; signatures go back only to the model that gave them; tool
call ids of another model are made to fit `[A-Za-z0-9_-]{1,64}`; a model without eyes gets a note for each image; lone
surrogates, which no JSON encoder may send, are taken out.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pi_api.messages import (
    AssistantMessage,
    Image,
    Text,
    Thinking,
    ToolCall,
    ToolResultMessage,
    UserContent,
    UserMessage,
)
from pi_api.model import Model
from pi_api.provider import ProviderMessage

from pi_agent.branch import failed
from pi_agent.texts import text

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNFIT_IN_ID = re.compile(r"[^A-Za-z0-9_-]")
MAX_ID = 64


class Replay:
    """One conversation on its way to one model; messages that were given before are not looked at again."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._sent: list[ProviderMessage] = []
        self._ids = _CallIds()
        self._asked: AssistantMessage | None = None
        self._results: dict[str, ToolResultMessage] = {}

    def add(self, message: ProviderMessage) -> None:
        """Take in the next message."""
        if isinstance(message, ToolResultMessage):
            self._results.setdefault(message.tool_call_id, message)
            return
        self._sent += self._open_results()
        self._asked, self._results = None, {}
        if failed(message):
            return
        fitted = _fitted(message, self.model, self._ids)
        if isinstance(message, AssistantMessage):
            self._asked = message
            if not fitted.content:
                return  # providers refuse an answer without content
        self._sent.append(fitted)

    def messages(self) -> list[ProviderMessage]:
        """The conversation so far, every call answered."""
        return [*self._sent, *self._open_results()]

    def _open_results(self) -> list[ProviderMessage]:
        """The results of the last answer, put into the order of its calls; missing ones are made up."""
        asked = self._asked
        calls = asked.tool_calls if asked is not None else ()
        found = (self._results.get(call.id) or lost_result(call, asked.timestamp if asked else 0) for call in calls)
        return [_fitted(result, self.model, self._ids) for result in found]


class _CallIds:
    """Ids under which calls are sent; results follow their answer, so a renaming holds until the next one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._renamed: dict[str, str] = {}

    def next_answer(self) -> None:
        self._renamed = {}

    def of_result(self, call_id: str) -> str:
        return self._renamed.get(call_id, call_id)

    def kept(self, call: ToolCall) -> ToolCall:
        self._taken.add(call.id)
        return call

    def fitted(self, call: ToolCall) -> ToolCall:
        """The call under an id that every provider takes."""
        fit = base = _UNFIT_IN_ID.sub("_", call.id)[:MAX_ID] or "call"
        if fit == call.id:
            return self.kept(call)
        number = 2
        while fit in self._taken:
            fit = f"{base[: MAX_ID - len(str(number)) - 1]}_{number}"
            number += 1
        self._renamed[call.id] = fit
        return self.kept(replace(call, id=fit))


def lost_result(call: ToolCall, timestamp: int) -> ToolResultMessage:
    """What stands for a result that was never recorded."""
    content = (Text(text("lost_result")),)
    return ToolResultMessage(call.id, call.name, content, True, timestamp, error_kind="tool_failure")


def _fitted(message: ProviderMessage, model: Model, ids: _CallIds) -> ProviderMessage:
    match message:
        case UserMessage():
            content = _seen(message.content, model)
            return message if content is message.content else replace(message, content=content)
        case AssistantMessage():
            ids.next_answer()
            give_id = ids.kept if _made_by(message, model) else ids.fitted
            own = _own_blocks(message, model)
            blocks = tuple(give_id(block) if isinstance(block, ToolCall) else block for block in own)
            return message if _same(blocks, message.content) else replace(message, content=blocks)
        case ToolResultMessage():
            return _fitted_result(message, model, ids)


def _fitted_result(message: ToolResultMessage, model: Model, ids: _CallIds) -> ToolResultMessage:
    content = _seen(message.content, model)
    call_id = ids.of_result(message.tool_call_id)
    if content is message.content and call_id == message.tool_call_id:
        return message
    return replace(message, content=content, tool_call_id=call_id)


def _own_blocks(message: AssistantMessage, model: Model) -> Iterator[Text | Thinking | ToolCall]:
    """The blocks with what only their own model understands taken out or put into words."""
    own = _made_by(message, model)
    for block in map(_clean_block, message.content):
        match block:
            case Thinking():
                if own and (block.thinking_signature or block.thinking.strip()):
                    yield block
                elif not own and not block.redacted and block.thinking.strip():
                    yield Text(block.thinking)
            case Text():
                if block.text:
                    yield block if own or not block.text_signature else Text(block.text)
            case ToolCall():
                yield block if own or not block.thought_signature else replace(block, thought_signature=None)


def _made_by(message: AssistantMessage, model: Model) -> bool:
    return (message.provider, message.api, message.model) == (model.provider, model.api, model.id)


def _seen(content: Any, model: Model) -> Any:
    """User or result content as the model can take it; the same object when nothing had to change."""
    if isinstance(content, str):
        return without_surrogates(content)
    sees = "image" in model.input
    blocks = tuple(
        Text(text("image_left_out").format(mime_type=block.mime_type))
        if isinstance(block, Image) and not sees
        else _clean_block(block)
        for block in content
    )
    return content if _same(blocks, content) else blocks


def _clean_block(block: Any) -> Any:
    match block:
        case Text(words):
            clean = without_surrogates(words)
            return block if clean is words else replace(block, text=clean)
        case Thinking(words):
            clean = without_surrogates(words)
            return block if clean is words else replace(block, thinking=clean)
        case ToolCall():
            arguments = _clean_value(block.arguments)
            return block if arguments is block.arguments else replace(block, arguments=arguments)
    return block


def _clean_value(value: Any) -> Any:
    """A JSON value whose strings hold no lone surrogates; the same object when nothing had to change."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        pairs = {without_surrogates(str(key)): _clean_value(item) for key, item in value.items()}
        return value if all(pairs.get(key, _clean_value) is item for key, item in value.items()) else pairs
    if isinstance(value, list):
        items = [_clean_value(item) for item in value]
        return value if _same(items, value) else items
    return value


def without_surrogates(words: str) -> str:
    """The string without lone surrogates; the same object when it has none."""
    if words.isascii():
        return words
    return _SURROGATE.sub("", words) if _SURROGATE.search(words) else words


def _same(left: Any, right: UserContent | tuple[Any, ...] | list[Any]) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))
