"""The JSON of a request to `POST /v1/messages` (Anthropic's API reference, "Messages")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pi_api.messages import AssistantMessage, Image, Text, Thinking, ToolCall, ToolResultMessage, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.provider import ProviderMessage, Request, ToolSchema

from pi_provider_anthropic.names import Names

Json = dict[str, Any]

BUDGETS = {"minimal": 1_024, "low": 2_048, "medium": 8_192, "high": 16_384}
LEAST_ANSWER = 1_024
"""Tokens that a thinking budget always leaves for the answer."""
LEAST_MARGIN = 4_096
MARGIN_SHARE = 0.15
"""The input is only estimated, so this much of it stays free beside it in the window."""
CHARACTERS_PER_TOKEN = 4
IMAGE_TOKENS = 1_600
_EFFORTS = {"minimal": "low", "low": "low", "medium": "medium", "high": "high"}


@dataclass(frozen=True, slots=True)
class Style:
    """What the user's settings say about payloads."""

    budgets: Mapping[str, int] = field(default_factory=lambda: BUDGETS)
    display: str = "summarized"


def build_payload(request: Request, tools: Names, style: Style) -> Json:
    """The whole payload; equal requests give equal bytes."""
    model, marker = request.model, cache_marker(request)
    payload: Json = {"model": model.id, "max_tokens": 0, "stream": True}
    if request.system_prompt.strip():
        payload["system"] = [marked({"type": "text", "text": request.system_prompt}, marker)]
    if request.tools:
        on_tools = marker if model.compat.get("supportsCacheControlOnTools", True) else None
        payload["tools"] = tool_list(request.tools, tools, on_tools, model)
    payload["messages"] = message_list(request.messages, tools, marker)
    payload["max_tokens"] = output_limit(request, payload)
    payload.update(thinking(request, payload["max_tokens"], style))
    if payload.get("thinking", {}).get("type") == "enabled" and not may_think(payload["messages"]):
        payload["thinking"] = {"type": "disabled"}
    reasons = "thinking" in payload and payload["thinking"]["type"] != "disabled"
    if request.temperature is not None and not reasons and model.compat.get("supportsTemperature", True):
        payload["temperature"] = request.temperature
    return payload


def cache_marker(request: Request) -> Json | None:
    """What marks the end of a prefix worth keeping: five minutes, or an hour when asked for and supported."""
    if request.cache_retention == "none":
        return None
    long = request.cache_retention == "long" and request.model.compat.get("supportsLongCacheRetention", True)
    return {"type": "ephemeral", "ttl": "1h"} if long else {"type": "ephemeral"}


def marked(block: Json, marker: Json | None) -> Json:
    """The block with the marker, if there is one."""
    return {**block, "cache_control": marker} if marker else block


def tool_list(tools: Sequence[ToolSchema], names: Names, marker: Json | None, model: Model) -> list[Json]:
    """The tools, the last one marked; arguments are streamed as they are written where the server can."""
    eager = {"eager_input_streaming": True} if model.compat.get("supportsEagerToolInputStreaming", True) else {}
    listed = [
        {
            "name": names.of(tool.name),
            "description": tool.description,
            **eager,
            "input_schema": {"type": "object", "properties": {}, **tool.parameters},
        }
        for tool in tools
    ]
    return [*listed[:-1], marked(listed[-1], marker)]


def message_list(messages: Sequence[ProviderMessage], tools: Names, marker: Json | None) -> list[Json]:
    """The conversation; what the user and the tools say in a row is one message, the last of them is marked."""
    listed: list[Json] = []
    for answers, group in groupby(messages, key=lambda one: isinstance(one, AssistantMessage)):
        together = list(group)
        blocks = assistant_blocks(together, tools) if answers else user_blocks(together)
        if blocks:
            listed.append({"role": "assistant" if answers else "user", "content": blocks})
    if listed and listed[-1]["role"] == "user":
        blocks = listed[-1]["content"]
        blocks[-1] = marked(blocks[-1], marker)
    return listed


def assistant_blocks(messages: Sequence[ProviderMessage], tools: Names) -> list[Json]:
    """The blocks of answers in a row."""
    blocks = (
        assistant_block(block, tools) for one in messages if isinstance(one, AssistantMessage) for block in one.content
    )
    return [block for block in blocks if block is not None]


def assistant_block(block: Text | Thinking | ToolCall, tools: Names) -> Json | None:
    """One block of an answer, its signature untouched; thinking without one goes as text, blank text not at all."""
    if isinstance(block, ToolCall):
        return {"type": "tool_use", "id": block.id, "name": tools.of(block.name), "input": block.arguments}
    if isinstance(block, Thinking) and block.thinking_signature:
        if block.redacted:
            return {"type": "redacted_thinking", "data": block.thinking_signature}
        return {"type": "thinking", "thinking": block.thinking, "signature": block.thinking_signature}
    text = block.text if isinstance(block, Text) else block.thinking
    return {"type": "text", "text": text} if text.strip() else None


def user_blocks(messages: Sequence[ProviderMessage]) -> list[Json]:
    """Tool results first, as the API demands, then what the user said. Images of failed results stand behind them."""
    results: list[Json] = []
    images: list[Json] = []
    said: list[Json] = []
    for message in messages:
        if isinstance(message, ToolResultMessage):
            results.append(tool_result(message))
            if message.is_error:
                images += [image(block) for block in message.content if isinstance(block, Image)]
        elif isinstance(message, UserMessage):
            content = (Text(message.content),) if isinstance(message.content, str) else message.content
            said += content_blocks(content)
    return results + images + said


def tool_result(message: ToolResultMessage) -> Json:
    """One result; the API takes no images in a failed one."""
    content = [block for block in message.content if isinstance(block, Text) or not message.is_error]
    return {
        "type": "tool_result",
        "tool_use_id": message.tool_call_id,
        "content": content_blocks(tuple(content)) or [{"type": "text", "text": "(no output)"}],
        "is_error": message.is_error,
    }


def content_blocks(content: Sequence[Text | Image]) -> list[Json]:
    """Texts that are not blank, and images."""
    return [
        image(block) if isinstance(block, Image) else {"type": "text", "text": block.text}
        for block in content
        if isinstance(block, Image) or block.text.strip()
    ]


def image(block: Image) -> Json:
    """An image as the API takes it."""
    return {"type": "image", "source": {"type": "base64", "media_type": block.mime_type, "data": block.data}}


def output_limit(request: Request, payload: Json) -> int:
    """The tokens asked for, or the model's own limit; less when the window has no room for that beside the input."""
    wanted = min(request.max_tokens or request.model.max_tokens, request.model.max_tokens)
    estimated = characters(payload) // CHARACTERS_PER_TOKEN
    room = request.model.context_window - estimated - max(LEAST_MARGIN, int(estimated * MARGIN_SHARE))
    return max(1, min(wanted, max(room, LEAST_ANSWER)))


def characters(value: Any) -> int:
    """The characters in all texts of a JSON value, keys included; an image counts as what it costs, not as its data."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(characters, value))
    if isinstance(value, dict):
        if value.get("type") == "image":
            return IMAGE_TOKENS * CHARACTERS_PER_TOKEN
        return sum(len(key) + characters(item) for key, item in value.items())
    return 1


def thinking(request: Request, max_tokens: int, style: Style) -> Json:
    """How the model is told to reason: an effort where it decides itself, else a budget, else not at all."""
    model, level = request.model, request.thinking
    if not model.reasoning:
        return {}
    if level is ThinkingLevel.OFF:
        can_stop = model.thinking_level_map.get("off", "off") is not None
        return {"thinking": {"type": "disabled"}} if can_stop else {}
    if model.compat.get("forceAdaptiveThinking"):
        effort = model.thinking_level_map.get(level) or _EFFORTS.get(level, "high")
        return {"thinking": {"type": "adaptive", "display": style.display}, "output_config": {"effort": effort}}
    budget = min(style.budgets.get(level, style.budgets["high"]), max_tokens - LEAST_ANSWER)
    if budget < BUDGETS["minimal"]:
        return {"thinking": {"type": "disabled"}}
    return {"thinking": {"type": "enabled", "budget_tokens": budget, "display": style.display}}


def may_think(messages: Sequence[Json]) -> bool:
    """With a budget the API wants the answer whose tools have just run to begin with its thinking; it may have none."""
    place = max((at for at, one in enumerate(messages) if one["role"] == "assistant"), default=-1)
    if place < 0 or not any(block["type"] == "tool_use" for block in messages[place]["content"]):
        return True
    return messages[place]["content"][0]["type"] in ("thinking", "redacted_thinking")
