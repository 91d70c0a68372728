"""What is sent: the payload of a request, part by part."""

from dataclasses import replace
from typing import Any

import pytest
from pi_api.messages import AssistantMessage, Image, Text, Thinking, ToolCall, ToolResultMessage, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.provider import ProviderMessage, Request, ToolSchema
from pi_api.usage import Usage
from pi_provider_anthropic.models import models
from pi_provider_anthropic.names import names_of
from pi_provider_anthropic.payload import Style, build_payload

MARK = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
LS = ToolSchema("ls", "List.", {"type": "object", "properties": {"path": {"type": "string"}}})
READ = ToolSchema("read", "Read.", {"type": "object", "properties": {}})
PNG = Image("aW1n", "image/png")


def model(model_id: str) -> Model:
    return next(one for one in models() if one.id == model_id)


ADAPTIVE, BUDGET = model("claude-opus-5-5"), model("claude-sonnet-4-5")


def said(*blocks: Text | Thinking | ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks, ADAPTIVE.api, "anthropic", ADAPTIVE.id, Usage(), "stop", 0)


def result(call_id: str, *content: Text | Image, failed: bool = False) -> ToolResultMessage:
    return ToolResultMessage(call_id, "ls", content, failed, 0)


def payload(*messages: ProviderMessage, style: Style | None = None, **fields: Any) -> dict[str, Any]:
    chosen = fields.pop("model", ADAPTIVE)
    tools = fields.get("tools", ())
    request = Request(chosen, fields.pop("system", ""), messages or (UserMessage("hello", 0),), **fields)
    return build_payload(request, names_of(tool.name for tool in tools), style or Style())


def test_the_shortest_request() -> None:
    assert payload(cache_retention="none") == {
        "model": "claude-opus-5-5",
        "stream": True,
        "max_tokens": 128_000,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hello"}]}],
    }


def test_equal_requests_give_equal_bytes() -> None:
    assert str(payload(tools=(LS, READ), system="x")) == str(payload(tools=(LS, READ), system="x"))


@pytest.mark.parametrize(("retention", "mark"), [("none", None), ("short", MARK), ("long", HOUR)])
def test_system_last_tool_and_last_user_block_are_marked(retention: str, mark: dict[str, str] | None) -> None:
    history = (UserMessage("one", 0), said(Text("two")), UserMessage((Text("three"), Text("four")), 0))
    sent = payload(*history, system="You are pi.", tools=(LS, READ), cache_retention=retention)
    assert [block.get("cache_control") for block in sent["system"]] == [mark]
    assert [tool.get("cache_control") for tool in sent["tools"]] == [None, mark]
    blocks = [block.get("cache_control") for message in sent["messages"] for block in message["content"]]
    assert blocks == [None, None, None, mark]


def test_an_hour_is_not_asked_of_servers_that_do_not_know_it() -> None:
    modest = replace(ADAPTIVE, compat={"supportsLongCacheRetention": False, "supportsCacheControlOnTools": False})
    sent = payload(model=modest, tools=(LS,), system="x", cache_retention="long")
    assert sent["system"][0]["cache_control"] == MARK
    assert "cache_control" not in sent["tools"][0]


def test_tools_are_told_with_their_schema() -> None:
    (sent,) = payload(tools=(LS,), cache_retention="none")["tools"]
    assert sent == {
        "name": "ls",
        "description": "List.",
        "eager_input_streaming": True,
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    modest = replace(ADAPTIVE, compat={"supportsEagerToolInputStreaming": False})
    assert "eager_input_streaming" not in payload(model=modest, tools=(LS,))["tools"][0]


def test_names_the_api_refuses_are_replaced_and_found_again() -> None:
    tools = ["mcp/git:status", "mcp_git_status", "ü" * 80, "mcp.git.status"]
    names = names_of(tools)
    sent = [names.of(tool) for tool in tools]
    assert sent[1] == "mcp_git_status"
    assert len(set(sent)) == 4
    assert all(len(name) <= 64 and name.replace("_", "").replace("-", "").isascii() for name in sent)
    assert [names.back(name) for name in sent] == tools
    assert names.back("unheard_of") == "unheard_of"


def test_results_stand_together_before_what_the_user_says_next() -> None:
    called = said(Text("I look."), ToolCall("a", "ls", {}), ToolCall("b", "ls", {"path": "x"}))
    sent = payload(
        UserMessage("look", 0),
        called,
        result("a", Text("one")),
        result("b", Text("two"), PNG),
        UserMessage("and?", 0),
        cache_retention="none",
    )["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert sent[1]["content"][1] == {"type": "tool_use", "id": "a", "name": "ls", "input": {}}
    first, second, text = sent[2]["content"]
    assert first == {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": [{"type": "text", "text": "one"}],
        "is_error": False,
    }
    assert [block["type"] for block in second["content"]] == ["text", "image"]
    assert text == {"type": "text", "text": "and?"}


def test_images_of_a_failed_result_stand_behind_it() -> None:
    called = said(ToolCall("a", "ls", {}), ToolCall("b", "ls", {}))
    sent = payload(UserMessage("x", 0), called, result("a", PNG, failed=True), result("b", Text("fine")))
    blocks = sent["messages"][2]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "tool_result", "image"]
    assert blocks[0]["content"] == [{"type": "text", "text": "(no output)"}]
    assert blocks[0]["is_error"] is True
    assert blocks[2]["source"] == {"type": "base64", "media_type": "image/png", "data": "aW1n"}


@pytest.mark.parametrize(
    ("block", "sent"),
    [
        (Thinking("hm", "c2ln"), {"type": "thinking", "thinking": "hm", "signature": "c2ln"}),
        (Thinking("", "c2ln"), {"type": "thinking", "thinking": "", "signature": "c2ln"}),
        (Thinking("withheld", "b3A", redacted=True), {"type": "redacted_thinking", "data": "b3A"}),
        (Thinking("unsigned"), {"type": "text", "text": "unsigned"}),
        (Thinking("   "), None),
        (Text(" \n"), None),
        (Text("so"), {"type": "text", "text": "so"}),
    ],
)
def test_blocks_of_answers(block: Any, sent: dict[str, str] | None) -> None:
    messages = payload(UserMessage("a", 0), said(block), UserMessage("b", 0))["messages"]
    answers = [block for message in messages if message["role"] == "assistant" for block in message["content"]]
    assert answers == ([sent] if sent else [])


def test_blank_messages_are_left_out() -> None:
    assert payload(UserMessage("  ", 0), UserMessage("b", 0), cache_retention="none")["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "b"}]}
    ]


@pytest.mark.parametrize(
    ("level", "effort"),
    [("low", "low"), ("medium", "medium"), ("high", "high"), ("xhigh", "xhigh"), ("max", "max")],
)
def test_newer_models_are_given_an_effort(level: str, effort: str) -> None:
    sent = payload(thinking=ThinkingLevel(level))
    assert sent["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert sent["output_config"] == {"effort": effort}


@pytest.mark.parametrize(
    ("level", "budget"), [("minimal", 1024), ("low", 2048), ("medium", 8192), ("high", 16384), ("xhigh", 16384)]
)
def test_older_models_are_given_a_budget(level: str, budget: int) -> None:
    sent = payload(model=BUDGET, thinking=ThinkingLevel(level))
    assert sent["thinking"] == {"type": "enabled", "budget_tokens": budget, "display": "summarized"}
    assert "output_config" not in sent


def test_a_budget_leaves_room_for_the_answer() -> None:
    sent = payload(model=BUDGET, thinking=ThinkingLevel.HIGH, max_tokens=4096)
    assert sent["thinking"]["budget_tokens"] == 4096 - 1024
    assert payload(model=BUDGET, thinking=ThinkingLevel.HIGH, max_tokens=1500)["thinking"] == {"type": "disabled"}


def test_the_style_of_the_settings_is_kept() -> None:
    style = Style({"minimal": 1024, "low": 3000, "medium": 4000, "high": 5000}, "omitted")
    sent = payload(model=BUDGET, thinking=ThinkingLevel.LOW, style=style)
    assert sent["thinking"] == {"type": "enabled", "budget_tokens": 3000, "display": "omitted"}


def test_thinking_is_switched_off_where_it_can_be() -> None:
    assert payload(model=BUDGET)["thinking"] == {"type": "disabled"}
    assert "thinking" not in payload(model=ADAPTIVE)
    assert "thinking" not in payload(model=replace(BUDGET, reasoning=False), thinking=ThinkingLevel.HIGH)


def test_a_tool_loop_begun_without_thinking_goes_on_without() -> None:
    loop = (UserMessage("x", 0), said(ToolCall("a", "ls", {})), result("a", Text("one")))
    assert payload(*loop, model=BUDGET, thinking=ThinkingLevel.HIGH)["thinking"] == {"type": "disabled"}
    signed = said(Thinking("hm", "c2ln"), ToolCall("a", "ls", {}))
    assert payload(loop[0], signed, loop[2], model=BUDGET, thinking=ThinkingLevel.HIGH)["thinking"]["type"] == "enabled"
    over = (*loop, said(Text("done")), UserMessage("more", 0))
    assert payload(*over, model=BUDGET, thinking=ThinkingLevel.HIGH)["thinking"]["type"] == "enabled"


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"model": BUDGET}, True),
        ({"model": BUDGET, "thinking": ThinkingLevel.LOW}, False),
        ({"model": ADAPTIVE}, False),
        ({"model": model("claude-opus-4-7")}, False),
        ({"model": model("claude-opus-4-6")}, True),
    ],
)
def test_temperature_goes_where_it_is_taken(fields: dict[str, Any], sent: bool) -> None:
    assert ("temperature" in payload(temperature=0.2, **fields)) is sent


def test_the_answer_must_fit_into_the_window_beside_the_input() -> None:
    tokens = 170_000
    sent = payload(UserMessage("word" * tokens, 0), model=BUDGET)
    assert 1024 <= sent["max_tokens"] <= BUDGET.context_window - tokens
    assert payload(model=BUDGET, max_tokens=10**9)["max_tokens"] == BUDGET.max_tokens
    assert payload(model=BUDGET, max_tokens=77)["max_tokens"] == 77
    assert payload(UserMessage("word" * 400_000, 0), model=BUDGET)["max_tokens"] == 1024
    image = Image("x" * 4_000_000, "image/png")
    assert payload(UserMessage((image,), 0), model=BUDGET)["max_tokens"] == BUDGET.max_tokens
