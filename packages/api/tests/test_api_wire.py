"""Events as JSON records: the names and fields of upstream's docs/json.md, and the bound on one record."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_api import events, stream
from pi_api.messages import AssistantMessage, Text, ToolCall, ToolResultMessage, UserMessage
from pi_api.model import ThinkingLevel
from pi_api.tool import ToolResult
from pi_api.usage import Usage
from pi_api.wire import DELTA_LIMIT, WIRE_EVENTS, delta_to_wire, to_wire

CALL = ToolCall("c1", "read", {"path": "a"})
ANSWER = AssistantMessage((Text("hi"), CALL), "a", "p", "m", Usage(), "toolUse", 2)
USER = UserMessage("hello", 1)
OUTCOME = ToolResultMessage("c1", "read", (Text("body"),), False, 3)
RESULT = ToolResult.text("body", details={"n": 1})

CASES: list[tuple[Any, dict[str, Any]]] = [
    (events.AgentStart(), {"type": "agent_start"}),
    (events.AgentEnd((USER,), True), {"type": "agent_end", "messages": [USER.to_json()], "willRetry": True}),
    (events.TurnStart(0, 5), {"type": "turn_start"}),
    (
        events.TurnEnd(0, ANSWER, (OUTCOME,)),
        {"type": "turn_end", "message": ANSWER.to_json(), "toolResults": [OUTCOME.to_json()]},
    ),
    (events.MessageStart(USER), {"type": "message_start", "message": USER.to_json()}),
    (events.MessageEnd(USER), {"type": "message_end", "message": USER.to_json()}),
    (
        events.MessageUpdate(ANSWER, stream.TextDelta(0, "hi")),
        {
            "type": "message_update",
            "message": {**ANSWER.to_json(), "content": []},
            "usage": Usage().to_json(),
            "assistantMessageEvent": {"type": "text_delta", "contentIndex": 0, "delta": "hi"},
            "accumulatedContentOmitted": True,
        },
    ),
    (
        events.ToolStart("c1", "read", {"path": "a"}),
        {"type": "tool_execution_start", "toolCallId": "c1", "toolName": "read", "args": {"path": "a"}},
    ),
    (
        events.ToolUpdate("c1", "read", {"path": "a"}, RESULT),
        {
            "type": "tool_execution_update",
            "toolCallId": "c1",
            "toolName": "read",
            "args": {"path": "a"},
            "partialResult": {"content": [{"type": "text", "text": "body"}], "details": {"n": 1}},
        },
    ),
    (
        events.ToolEnd("c1", "read", ToolResult.text("no", is_error=True)),
        {
            "type": "tool_execution_end",
            "toolCallId": "c1",
            "toolName": "read",
            "result": {"content": [{"type": "text", "text": "no"}]},
            "isError": True,
        },
    ),
    (events.QueueUpdate(("a",), ("b",)), {"type": "queue_update", "steering": ["a"], "followUp": ["b"]}),
    (
        events.RetryStart(1, 3, 2.0, "529 overloaded"),
        {
            "type": "auto_retry_start",
            "attempt": 1,
            "maxAttempts": 3,
            "delayMs": 2000,
            "errorMessage": "529 overloaded",
        },
    ),
    (events.RetryEnd(True, 2), {"type": "auto_retry_end", "success": True, "attempt": 2}),
    (
        events.RetryEnd(False, 3, "no"),
        {"type": "auto_retry_end", "success": False, "attempt": 3, "finalError": "no"},
    ),
    (events.SessionNamed("x"), {"type": "session_info_changed", "name": "x"}),
    (events.SessionNamed(None), {"type": "session_info_changed"}),
    (
        events.ThinkingSelected(ThinkingLevel.HIGH, ThinkingLevel.OFF),
        {"type": "thinking_level_changed", "level": "high"},
    ),
    (events.Notice("careful"), {"type": "warning", "message": "careful", "level": "warning"}),
]


@pytest.mark.parametrize(("event", "record"), CASES, ids=lambda case: getattr(case, "__class__", type).__name__)
def test_the_record_of_an_event(event: Any, record: dict[str, Any]) -> None:
    assert json.loads(json.dumps(to_wire(event))) == record


def test_every_event_on_the_wire_has_a_case() -> None:
    assert {type(event) for event, _ in CASES} == set(WIRE_EVENTS)


DELTAS: list[tuple[stream.Delta, dict[str, Any]]] = [
    (stream.Start(), {"type": "start"}),
    (stream.TextStart(0), {"type": "text_start", "contentIndex": 0}),
    (stream.TextEnd(0, "hi"), {"type": "text_end", "contentIndex": 0}),
    (stream.ThinkingStart(1), {"type": "thinking_start", "contentIndex": 1}),
    (stream.ThinkingDelta(1, "h"), {"type": "thinking_delta", "contentIndex": 1, "delta": "h"}),
    (stream.ThinkingEnd(1, "hm"), {"type": "thinking_end", "contentIndex": 1}),
    (
        stream.ToolCallStart(2, "c1", "read"),
        {"type": "toolcall_start", "contentIndex": 2, "id": "c1", "toolName": "read"},
    ),
    (stream.ToolCallDelta(2, "{}"), {"type": "toolcall_delta", "contentIndex": 2, "delta": "{}"}),
    (stream.ToolCallEnd(2, CALL), {"type": "toolcall_end", "contentIndex": 2}),
]


@pytest.mark.parametrize(("delta", "record"), DELTAS, ids=lambda case: type(case).__name__)
def test_the_record_of_a_delta(delta: stream.Delta, record: dict[str, Any]) -> None:
    assert delta_to_wire(delta) == record


@given(st.text(st.characters(min_codepoint=0x80), min_size=1).map(lambda text: text * (DELTA_LIMIT // len(text))))
def test_one_delta_is_bounded_and_cut_between_characters(text: str) -> None:
    record = delta_to_wire(stream.TextDelta(0, text))
    kept = record["delta"].encode("utf-8", "surrogatepass")
    assert len(kept) <= DELTA_LIMIT
    assert text.startswith(record["delta"])
    assert len(json.dumps(record)) < 50 * 1024
    if len(kept) < len(text.encode("utf-8", "surrogatepass")):
        assert record["deltaTruncated"] is True
        assert record["deltaBytes"] == len(text.encode("utf-8", "surrogatepass"))
        assert len(kept) > DELTA_LIMIT - 4
