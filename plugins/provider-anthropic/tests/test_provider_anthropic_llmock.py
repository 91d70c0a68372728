"""Against llmock, a server that speaks the Messages wire format, breaks it on demand and judges its client."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from pi_api.errors import ErrorKind, ProviderFailure
from pi_api.messages import AssistantMessage, Text, ToolResultMessage, UserMessage
from pi_api.provider import ProviderMessage, Request, ToolSchema
from pi_api.stream import Done, Failed, TextDelta, ToolCallDelta
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider
from pi_provider_anthropic.watchdog import Limits

testing = pytest.importorskip("llmock.testing", reason="llmock is not installed (pip install llmock)")
scenarios = pytest.importorskip("llmock.scenarios")
verdicts = pytest.importorskip("llmock.verdict")

DEADLINE = 60.0
READ = ToolSchema(
    "read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
)


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    with testing.LLMockServer() as server:
        yield server


@pytest.fixture
def mock(running: Any) -> Any:
    running.state.reset()
    return running


def provider_of(mock: Any, limits: Limits | None = None) -> AnthropicProvider:
    env = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": mock.base_url("anthropic")}
    return AnthropicProvider(env, limits=limits)


def asking(*messages: ProviderMessage, tools: tuple[ToolSchema, ...] = ()) -> Request:
    return Request(models()[0], "You are pi.", messages or (UserMessage("Say something long.", 0),), tools)


async def answer(provider: AnthropicProvider, request: Request) -> list[Any]:
    async with asyncio.timeout(DEADLINE):
        return [event async for event in provider.stream(request)]


async def failure(mock: Any, limits: Limits | None = None, request: Request | None = None) -> ProviderFailure:
    end = (await answer(provider_of(mock, limits), request or asking()))[-1]
    assert isinstance(end, Failed), end
    assert end.message.error_kind == end.failure.kind
    return end.failure


async def test_a_tool_is_called_and_its_result_answered(mock: Any) -> None:
    mock.state.scenarios.add(scenarios.Reply(tool_calls=(scenarios.ToolCall("read", {"path": "README.md"}),)))
    asked = UserMessage("Read README.md.", 0)
    events = await answer(provider_of(mock), asking(asked, tools=(READ,)))
    called = events[-1].message
    assert isinstance(called, AssistantMessage)
    assert [(call.name, call.arguments) for call in called.tool_calls] == [("read", {"path": "README.md"})]
    assert called.stop_reason == "toolUse"
    assert sum(isinstance(event, ToolCallDelta) for event in events) > 1
    given = ToolResultMessage(called.tool_calls[0].id, "read", (Text("# A project"),), False, 0)
    events = await answer(provider_of(mock), asking(asked, called, given, tools=(READ,)))
    assert isinstance(events[-1], Done)
    assert events[-1].message.stop_reason == "stop"
    assert events[-1].message.text == "".join(event.delta for event in events if isinstance(event, TextDelta)) != ""
    assert events[-1].message.usage.output > 0
    assert events[-1].message.usage.cost.total > 0


@pytest.mark.parametrize(
    ("status", "wait", "kind"),
    [
        (429, 7.0, ErrorKind.RATE_LIMIT),
        (529, None, ErrorKind.OVERLOADED),
        (500, None, ErrorKind.SERVER_ERROR),
        (503, None, ErrorKind.OVERLOADED),
        (504, None, ErrorKind.SERVER_ERROR),
        (400, None, ErrorKind.INVALID_REQUEST),
        (401, None, ErrorKind.AUTH),
        (402, None, ErrorKind.BILLING),
        (403, None, ErrorKind.AUTH),
        (404, None, ErrorKind.INVALID_REQUEST),
        (413, None, ErrorKind.CONTEXT_OVERFLOW),
    ],
)
async def test_each_status_has_its_class(mock: Any, status: int, wait: float | None, kind: ErrorKind) -> None:
    mock.state.scenarios.add(scenarios.Fail(status, retry_after=wait))
    found = await failure(mock)
    assert found.kind is kind
    assert found.status == status
    if wait is not None:
        assert found.retry_after == wait


async def test_a_prompt_too_long_is_an_overflow(mock: Any) -> None:
    text = "prompt is too long: 213462 tokens > 200000 maximum"
    mock.state.scenarios.add(scenarios.Fail(400, message=text))
    assert (await failure(mock)).kind is ErrorKind.CONTEXT_OVERFLOW


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("disconnect", ErrorKind.NETWORK),
        ("truncate", ErrorKind.NETWORK),
        ("malformed", ErrorKind.MALFORMED),
        ("stall", ErrorKind.STREAM_STALL),
    ],
)
@pytest.mark.parametrize("after", [0, 1, 2, 4])
async def test_each_fault_of_a_stream_has_its_class(mock: Any, fault: str, kind: ErrorKind, after: int) -> None:
    mock.state.scenarios.add(scenarios.StreamFault(fault, after_chunks=after, stall_seconds=1.0))
    limits = Limits(connect=0.2, first=0.2, active=0.2, quiet=0.2) if fault == "stall" else None
    found = await failure(mock, limits)
    assert found.kind is kind
    assert found.kind.retryable


async def test_what_had_come_before_the_fault_is_kept(mock: Any) -> None:
    mock.state.scenarios.add(scenarios.Reply("one two three four five six"), scenarios.StreamFault("disconnect", 5))
    end = (await answer(provider_of(mock), asking()))[-1]
    assert isinstance(end, Failed)
    assert end.message.text != ""
    assert "one two three four five six".startswith(end.message.text)


async def test_arguments_that_are_no_json_are_malformed(mock: Any) -> None:
    mock.state.scenarios.add(scenarios.ToolFault("malformed_arguments"))
    found = await failure(mock, request=asking(UserMessage("Read README.md.", 0), tools=(READ,)))
    assert found.kind is ErrorKind.MALFORMED


async def test_the_same_request_succeeds_after_each_fault(mock: Any) -> None:
    mock.state.scenarios.add(scenarios.Fail(529), scenarios.Fail(429, retry_after=0), scenarios.StreamFault("truncate"))
    kinds = [(await failure(mock)).kind for _ in range(3)]
    assert kinds == [ErrorKind.OVERLOADED, ErrorKind.RATE_LIMIT, ErrorKind.NETWORK]
    assert isinstance((await answer(provider_of(mock), asking()))[-1], Done)


async def test_the_server_finds_nothing_wrong_with_its_client(mock: Any) -> None:
    import httpx

    mock.state.scenarios.add(scenarios.StreamFault("truncate"), scenarios.StreamFault("malformed"))
    for _ in range(2):
        await failure(mock)
    await answer(provider_of(mock), asking())
    async with httpx.AsyncClient(trust_env=False) as client:
        verdict = (await client.get(f"{mock.url}/_llmock/verdict")).json()
    wrong = [one for one in verdict["findings"] if one["severity"] == "error"]
    assert wrong == []
