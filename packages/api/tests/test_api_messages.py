"""Messages to JSON and back: upstream's own records, unknown fields, missing ones."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_api.codec import camel
from pi_api.messages import (
    BLOCKS,
    MESSAGES,
    AssistantMessage,
    Text,
    Thinking,
    ToolCall,
    UserMessage,
    message_from_json,
)
from pi_api.usage import Cost, Usage

USAGE = {
    "input": 10,
    "output": 2,
    "cacheRead": 3,
    "cacheWrite": 4,
    "totalTokens": 19,
    "cost": {"input": 0.1, "output": 0.2, "cacheRead": 0.0, "cacheWrite": 0.0, "total": 0.3},
}

RECORDS: list[dict[str, Any]] = [
    {"role": "user", "content": "hello", "timestamp": 1},
    {"role": "user", "content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}], "timestamp": 1},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
            {"type": "text", "text": "hi", "textSignature": "t"},
            {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a"}, "thoughtSignature": "s"},
        ],
        "api": "anthropic-messages",
        "provider": "anthropic",
        "model": "m",
        "usage": USAGE,
        "stopReason": "toolUse",
        "timestamp": 2,
        "responseId": "r",
    },
    {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "read",
        "content": [{"type": "text", "text": "body"}],
        "isError": False,
        "timestamp": 3,
        "details": {"lines": 4},
    },
    {
        "role": "bashExecution",
        "command": "ls",
        "output": "a",
        "cancelled": False,
        "truncated": False,
        "timestamp": 4,
        "exitCode": 0,
    },
    {"role": "custom", "customType": "x", "content": "c", "display": True, "timestamp": 5, "details": [1]},
    {"role": "branchSummary", "summary": "s", "fromId": "0a0b0c0d", "timestamp": 6},
    {"role": "compactionSummary", "summary": "s", "tokensBefore": 7, "timestamp": 8},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["role"])
def test_upstream_records_survive_unchanged(record: dict[str, Any]) -> None:
    assert json.loads(json.dumps(message_from_json(record).to_json())) == record


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["role"])
def test_unknown_fields_survive_at_every_depth(record: dict[str, Any]) -> None:
    strange = {**record, "newField": {"a": [1]}}
    if isinstance(strange.get("content"), list):
        strange["content"] = [{**block, "opaque": "x"} for block in strange["content"]]
    if "usage" in strange:
        strange["usage"] = {**USAGE, "reasoning": 5, "cost": {**USAGE["cost"], "tax": 1}}
    assert message_from_json(strange).to_json() == strange


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"role": "martian"}, "'martian'"),
        ({}, "None"),
        ({"role": "user", "timestamp": 1}, "content"),
        ({"role": "user", "content": [{"type": "hologram"}], "timestamp": 1}, "'hologram'"),
        ({"role": "toolResult", "content": []}, "toolCallId, toolName, isError, timestamp"),
    ],
)
def test_what_is_wrong_with_a_record_is_named(record: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        message_from_json(record)


@pytest.mark.parametrize("kind", [*MESSAGES.values(), *BLOCKS.values(), Usage, Cost], ids=lambda kind: kind.__name__)
def test_every_record_type_can_keep_what_it_does_not_know(kind: Any) -> None:
    assert fields(kind)[-1].name == "extra"


@given(st.text(), st.text(), st.dictionaries(st.text(), st.integers() | st.none()))
def test_any_text_and_arguments_round_trip(text: str, thought: str, arguments: dict[str, Any]) -> None:
    message = AssistantMessage(
        (Thinking(thought), Text(text), ToolCall("1", "t", arguments)), "a", "p", "m", Usage(), "toolUse", 0
    )
    assert message_from_json(message.to_json()) == message
    assert message.text == text
    assert [call.arguments for call in message.tool_calls] == [arguments]


def test_usage_adds_up_with_its_cost() -> None:
    one = Usage.from_json(USAGE)
    both = one + one
    assert both.to_json() == {
        "input": 20,
        "output": 4,
        "cacheRead": 6,
        "cacheWrite": 8,
        "totalTokens": 38,
        "cost": {"input": 0.2, "output": 0.4, "cacheRead": 0.0, "cacheWrite": 0.0, "total": 0.6},
    }


@pytest.mark.parametrize(("name", "key"), [("id", "id"), ("tool_call_id", "toolCallId"), ("is_error", "isError")])
def test_field_names_become_camel_case(name: str, key: str) -> None:
    assert camel(name) == key


def test_a_string_content_is_not_taken_apart() -> None:
    assert UserMessage("abc", 1).to_json()["content"] == "abc"
