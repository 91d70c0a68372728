"""Where a request goes, with which headers and key, and that the key stays where it belongs."""

import logging
from typing import Any

import pytest
from pi_api.errors import ErrorKind
from pi_api.messages import AssistantMessage, Text, ToolCall, ToolResultMessage, UserMessage
from pi_api.model import ThinkingLevel
from pi_api.provider import Request, ToolSchema
from pi_api.stream import Done, Failed, StreamEvent, ToolCallEnd, ToolCallStart
from pi_api.usage import Usage
from pi_provider_anthropic.credentials import find_credential
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider

SECRET = "sk-ant-api03-very-secret"
BUDGET = next(model for model in models() if model.id == "claude-sonnet-4-5")


async def ask(server: Any, env: dict[str, str] | None = None, **fields: Any) -> list[StreamEvent]:
    chosen = fields.pop("model", models()[0])
    messages = fields.pop("messages", (UserMessage("hello", 0),))
    hooks = {name: fields.pop(name) for name in ("on_payload", "on_response") if name in fields}
    given = {"ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": server.url} if env is None else env
    request = Request(chosen, "You are pi.", messages, **fields)
    return [event async for event in AnthropicProvider(given).stream(request, **hooks)]


@pytest.mark.parametrize(
    ("env", "given", "headers"),
    [
        ({"ANTHROPIC_API_KEY": "a"}, None, {"x-api-key": "a"}),
        ({"ANTHROPIC_API_KEY": "a"}, "b", {"x-api-key": "b"}),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, None, {"authorization": "Bearer t"}),
        ({"ANTHROPIC_OAUTH_TOKEN": "o"}, None, {"authorization": "Bearer o", "anthropic-beta": "oauth-2025-04-20"}),
        ({"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_API_KEY": "a"}, None, {"authorization": "Bearer t"}),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, "b", {"x-api-key": "b"}),
        ({}, "sk-ant-oat01-x", {"authorization": "Bearer sk-ant-oat01-x", "anthropic-beta": "oauth-2025-04-20"}),
        ({"ANTHROPIC_API_KEY": " a\n"}, "", {"x-api-key": "a"}),
    ],
)
async def test_keys_are_sent_as_their_kind_demands(
    server: Any, env: dict[str, str], given: str | None, headers: dict[str, str]
) -> None:
    await ask(server.plays("text"), {**env, "ANTHROPIC_BASE_URL": server.url}, api_key=given)
    sent = server.received[0].headers
    told = {name: sent[name] for name in ("x-api-key", "authorization", "anthropic-beta") if name in sent}
    assert told == headers
    assert sent["anthropic-version"] == "2023-06-01"
    assert server.received[0].path == "/v1/messages"


@pytest.mark.parametrize("env", [{}, {"ANTHROPIC_API_KEY": "  "}])
async def test_without_a_key_nothing_is_sent(server: Any, env: dict[str, str]) -> None:
    (end,) = await ask(server, {**env, "ANTHROPIC_BASE_URL": server.url})
    assert isinstance(end, Failed)
    assert end.failure.kind is ErrorKind.AUTH
    assert "ANTHROPIC_API_KEY" in end.failure.message
    assert server.received == []
    assert "ANTHROPIC_API_KEY" in (AnthropicProvider(env).unavailable(env) or "")


@pytest.mark.parametrize("kind", ["error", "event", "page", "crash"])
async def test_the_key_is_in_no_error_event_or_log(
    server: Any, kind: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    if kind == "event":
        server.parts = (f'event: error\ndata: {{"type": "error", "error": {{"message": "{SECRET}"}}}}\n\n'.encode(),)
    elif kind == "page":
        server.headers = {"content-type": "text/html"}
        server.parts = (f"<p>you sent {SECRET}</p>".encode(),)
    else:
        server.refuses(401, f'{{"type": "error", "error": {{"message": "the key {SECRET} is bad"}}}}')

    async def on_response(status: int, headers: Any) -> None:
        if kind == "crash":
            raise RuntimeError(f"a plugin shouts {SECRET}")

    events = await ask(server, on_response=on_response)
    assert isinstance(events[-1], Failed)
    assert "[key]" in events[-1].failure.message
    assert SECRET not in repr(events)
    assert SECRET not in caplog.text + "".join(capsys.readouterr())
    assert SECRET not in repr(find_credential({"ANTHROPIC_API_KEY": SECRET}))


async def test_a_key_of_one_letter_does_not_eat_the_text(server: Any) -> None:
    server.refuses(400, '{"type": "error", "error": {"message": "the context is exceeded"}}')
    *_, end = await ask(server, {"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": server.url})
    assert isinstance(end, Failed)
    assert end.failure.message == "Anthropic answered with HTTP 400: the context is exceeded."


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
async def test_a_base_url_may_end_as_people_write_it(server: Any, ending: str) -> None:
    await ask(server.plays("text"), {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": server.url + ending})
    assert server.received[0].path == "/v1/messages"


async def test_the_settings_and_the_model_may_name_the_base_url(server: Any) -> None:
    from dataclasses import replace

    env = {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    await ask(server.plays("text"), env, options={"baseUrl": server.url + "/settings"})
    own = replace(models()[0], base_url=server.url + "/model", headers={"X-Team": "blue", "X-Api-Key": "theirs"})
    await ask(server, env, model=own, options={"baseUrl": "http://127.0.0.1:9"}, headers={"x-run": "7"})
    assert [one.path for one in server.received] == ["/settings/v1/messages", "/model/v1/messages"]
    assert server.received[1].headers["x-api-key"] == "a"
    assert (server.received[1].headers["x-team"], server.received[1].headers["x-run"]) == ("blue", "7")


async def test_proxies_are_honoured(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", server.plays("text").url)
    monkeypatch.setenv("http_proxy", server.url)
    events = await ask(server, {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": "http://api.example.invalid"})
    assert isinstance(events[-1], Done)
    assert server.received[0].path == "http://api.example.invalid/v1/messages"


async def test_wrong_settings_are_named(server: Any) -> None:
    (end,) = await ask(server, options={"stall": {"connectMs": -1}, "colour": "red"})
    assert isinstance(end, Failed)
    assert end.failure.kind is ErrorKind.INVALID_REQUEST
    assert "stall.connectMs" in end.failure.message
    assert "colour" in end.failure.message


async def test_the_limits_of_the_settings_decide(server: Any, hold: Any) -> None:
    server.begin = hold()
    (end,) = await ask(server, options={"stall": {"connectMs": 30}})
    assert isinstance(end, Failed)
    assert end.failure.kind is ErrorKind.STREAM_STALL
    assert "0.03 seconds" in end.failure.message


async def test_thinking_between_tool_calls_is_asked_for_where_it_must_be(server: Any) -> None:
    tools = (ToolSchema("ls", "List.", {"type": "object", "properties": {}}),)
    server.plays("text")
    await ask(server, model=BUDGET, thinking=ThinkingLevel.LOW, tools=tools)
    await ask(server, thinking=ThinkingLevel.LOW, tools=tools)
    betas = [one.headers.get("anthropic-beta") for one in server.received]
    assert betas == ["interleaved-thinking-2025-05-14", None]


async def test_hooks_replace_the_payload_and_see_the_response(server: Any) -> None:
    seen: list[Any] = []

    async def on_payload(payload: dict[str, Any]) -> dict[str, Any]:
        return {**payload, "metadata": {"user_id": "me"}}

    async def on_response(status: int, headers: Any) -> None:
        seen.append((status, headers["retry-after"]))

    server.refuses(429, "", retry_after="5")
    await ask(server, on_payload=on_payload, on_response=on_response)
    assert server.received[0].body["metadata"] == {"user_id": "me"}
    assert seen == [(429, "5")]


async def test_tools_keep_their_names_whatever_the_api_is_told(server: Any) -> None:
    name = "git/read"
    call = ToolCall("toolu_00", name, {})
    earlier = AssistantMessage((call,), models()[0].api, "anthropic", models()[0].id, Usage(), "toolUse", 0)
    result = ToolResultMessage("toolu_00", name, (Text("ok"),), False, 0)
    wire = (server.plays("tool_input_at_once").parts[0]).replace(b'"name": "ls"', b'"name": "git_read"')
    server.parts = (wire,)
    events = await ask(
        server,
        messages=(UserMessage("x", 0), earlier, result),
        tools=(ToolSchema(name, "Read.", {"type": "object", "properties": {}}),),
    )
    body = server.received[0].body
    assert body["tools"][0]["name"] == body["messages"][1]["content"][0]["name"] == "git_read"
    assert [event.name for event in events if isinstance(event, ToolCallStart)] == [name]
    assert [event.tool_call.name for event in events if isinstance(event, ToolCallEnd)] == [name]
    end = events[-1]
    assert isinstance(end, Done)
    assert [call.name for call in end.message.tool_calls] == [name]


async def test_halves_of_characters_do_not_stop_a_request(server: Any) -> None:
    await ask(server.plays("text"), messages=(UserMessage("a\ud83cb", 0),))
    assert server.received[0].body["messages"][0]["content"][0]["text"] == "a\N{REPLACEMENT CHARACTER}b"


async def test_the_model_that_answered_is_told_when_it_is_another(server: Any) -> None:
    *_, end = await ask(server.plays("usage_left_out"))
    assert isinstance(end, Done)
    assert end.message.response_model == "claude-opus-5-5-fast"
    *_, end = await ask(server.plays("text"))
    assert isinstance(end, Done)
    assert (end.message.response_model, end.message.response_id) == (None, "msg_01")
    assert end.message.extra == {"rawStopReason": "end_turn"}
