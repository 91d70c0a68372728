"""Session events as JSON, for the JSON and RPC modes.

Field names and event types are upstream pi's (docs/json.md, docs/rpc.md of version 1.6). An assistant message that is
being streamed is sent as deltas: `message.content` is empty and `accumulatedContentOmitted` says so; `message_end`
carries the whole. One delta is at most 7 KiB of UTF-8, so that a record stays far below 64 KiB even fully escaped.
"""

from collections.abc import Callable
from typing import Any

from pi_api import events, stream
from pi_api.tool import ToolResult
from pi_api.truncate import first_bytes, size_of

DELTA_LIMIT = 7 * 1024

Json = dict[str, Any]


def to_wire(event: Any) -> Json:
    """The JSON object of an event of `WIRE_EVENTS`."""
    return _ENCODERS[type(event)](event)


def delta_to_wire(delta: stream.Delta) -> Json:
    """The `assistantMessageEvent` of a stream event."""
    match delta:
        case stream.Start():
            return {"type": "start"}
        case stream.TextStart(index):
            return {"type": "text_start", "contentIndex": index}
        case stream.TextDelta(index, text):
            return {"type": "text_delta", "contentIndex": index, **_bounded(text)}
        case stream.TextEnd(index):
            return {"type": "text_end", "contentIndex": index}
        case stream.ThinkingStart(index):
            return {"type": "thinking_start", "contentIndex": index}
        case stream.ThinkingDelta(index, text):
            return {"type": "thinking_delta", "contentIndex": index, **_bounded(text)}
        case stream.ThinkingEnd(index):
            return {"type": "thinking_end", "contentIndex": index}
        case stream.ToolCallStart(index, call_id, name):
            return {"type": "toolcall_start", "contentIndex": index, "id": call_id, "toolName": name}
        case stream.ToolCallDelta(index, text):
            return {"type": "toolcall_delta", "contentIndex": index, **_bounded(text)}
        case stream.ToolCallEnd(index):
            return {"type": "toolcall_end", "contentIndex": index}


def _bounded(text: str) -> Json:
    size = size_of(text)
    if size <= DELTA_LIMIT:
        return {"delta": text}
    return {"delta": first_bytes(text, DELTA_LIMIT), "deltaTruncated": True, "deltaBytes": size}


def _result(result: ToolResult) -> Json:
    content = [block.to_json() for block in result.content]
    return {"content": content} | ({} if result.details is None else {"details": result.details})


def _message_update(event: events.MessageUpdate) -> Json:
    message = event.message.to_json() | {"content": []}
    return {
        "type": "message_update",
        "message": message,
        "usage": message["usage"],
        "assistantMessageEvent": delta_to_wire(event.delta),
        "accumulatedContentOmitted": True,
    }


def _agent_end(event: events.AgentEnd) -> Json:
    messages = [message.to_json() for message in event.messages]
    return {"type": "agent_end", "messages": messages, "willRetry": event.will_retry}


def _turn_end(event: events.TurnEnd) -> Json:
    results = [result.to_json() for result in event.tool_results]
    return {"type": "turn_end", "message": event.message.to_json(), "toolResults": results}


def _tool_start(event: events.ToolStart) -> Json:
    return {
        "type": "tool_execution_start",
        "toolCallId": event.call_id,
        "toolName": event.tool,
        "args": dict(event.arguments),
    }


def _tool_update(event: events.ToolUpdate) -> Json:
    return {
        "type": "tool_execution_update",
        "toolCallId": event.call_id,
        "toolName": event.tool,
        "args": dict(event.arguments),
        "partialResult": _result(event.partial),
    }


def _tool_end(event: events.ToolEnd) -> Json:
    return {
        "type": "tool_execution_end",
        "toolCallId": event.call_id,
        "toolName": event.tool,
        "result": _result(event.result),
        "isError": event.result.is_error,
    }


def _retry_start(event: events.RetryStart) -> Json:
    return {
        "type": "auto_retry_start",
        "attempt": event.attempt,
        "maxAttempts": event.max_attempts,
        "delayMs": round(event.delay * 1000),
        "errorMessage": event.error,
    }


def _retry_end(event: events.RetryEnd) -> Json:
    record: Json = {"type": "auto_retry_end", "success": event.success, "attempt": event.attempt}
    return record | ({"finalError": event.error} if event.error else {})


def _queue(event: events.QueueUpdate) -> Json:
    return {"type": "queue_update", "steering": list(event.steering), "followUp": list(event.follow_up)}


def _named(event: events.SessionNamed) -> Json:
    return {"type": "session_info_changed"} | ({"name": event.name} if event.name else {})


_ENCODERS: dict[type, Callable[[Any], Json]] = {
    events.AgentStart: lambda event: {"type": "agent_start"},
    events.AgentEnd: _agent_end,
    events.TurnStart: lambda event: {"type": "turn_start"},
    events.TurnEnd: _turn_end,
    events.MessageStart: lambda event: {"type": "message_start", "message": event.message.to_json()},
    events.MessageUpdate: _message_update,
    events.MessageEnd: lambda event: {"type": "message_end", "message": event.message.to_json()},
    events.ToolStart: _tool_start,
    events.ToolUpdate: _tool_update,
    events.ToolEnd: _tool_end,
    events.QueueUpdate: _queue,
    events.RetryStart: _retry_start,
    events.RetryEnd: _retry_end,
    events.SessionNamed: _named,
    events.ThinkingSelected: lambda event: {"type": "thinking_level_changed", "level": str(event.level)},
    events.Notice: lambda event: {"type": "warning", "message": event.text, "level": event.level},
}

WIRE_EVENTS: tuple[type, ...] = tuple(_ENCODERS)
