"""Against aimock, which checks what the API demands of thinking in tool loops, and refuses keys and requests.

It comes from npm as @copilotkit/aimock and runs on Node; PI_TEST_UPSTREAM names the node_modules folder that holds it.
"""

import asyncio
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pi_api.errors import ErrorKind
from pi_api.messages import AssistantMessage, Image, Text, Thinking, ToolResultMessage, UserMessage
from pi_api.model import Model, ThinkingLevel
from pi_api.provider import ProviderMessage, Request, ToolSchema
from pi_api.stream import Done, Failed, ThinkingDelta
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider
from pi_provider_anthropic.watchdog import Limits

DEADLINE = 60.0
FIXTURES = Path(__file__).parent / "aimock.json"
READ = ToolSchema("read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def aimock() -> Iterator[str]:
    """The address of a running aimock."""
    modules, node = os.environ.get("PI_TEST_UPSTREAM"), shutil.which("node")
    program = Path(modules or "", "@copilotkit", "aimock", "dist", "cli.js")
    if node is None or modules is None or not program.is_file():
        pytest.skip("needs node, and PI_TEST_UPSTREAM naming a node_modules folder with @copilotkit/aimock")
    command = [node, str(program), "--port", "0", "--fixtures", str(FIXTURES), "--strict"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        silent = threading.Timer(DEADLINE, running.kill)
        silent.start()
        try:
            url = address(running)
            silent.cancel()
            yield url
        finally:
            silent.cancel()
            running.terminate()


def address(running: "subprocess.Popen[str]") -> str:
    said = []
    assert running.stdout is not None
    for line in running.stdout:
        said.append(line)
        if found := re.search(r"listening on (http://\S+)", line):
            return found[1]
    raise AssertionError(f"aimock did not start:\n{''.join(said)}")


def model(model_id: str) -> Model:
    return next(one for one in models() if one.id == model_id)


ADAPTIVE, BUDGET = model("claude-opus-5-5"), model("claude-sonnet-4-5")


async def answer(url: str, *messages: ProviderMessage, limits: Limits | None = None, **fields: Any) -> list[Any]:
    provider = AnthropicProvider({"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": url}, limits=limits)
    chosen = fields.pop("model", ADAPTIVE)
    request = Request(chosen, "You are pi.", messages, (READ,), **fields)
    async with asyncio.timeout(DEADLINE):
        return [event async for event in provider.stream(request)]


def asked(text: str) -> UserMessage:
    return UserMessage(text, 0)


@pytest.mark.parametrize("chosen", [ADAPTIVE, BUDGET], ids=lambda one: one.id)
async def test_a_tool_loop_with_thinking_is_accepted(aimock: str, chosen: Model) -> None:
    question = asked("please read the file")
    fields = {"model": chosen, "thinking": ThinkingLevel.HIGH}
    events = await answer(aimock, question, **fields)
    called = events[-1].message
    assert isinstance(called, AssistantMessage), events[-1]
    assert isinstance(called.content[0], Thinking)
    assert called.content[0].thinking == "A file is to be read."
    assert called.content[0].thinking_signature
    assert "".join(event.delta for event in events if isinstance(event, ThinkingDelta)) == "A file is to be read."
    assert [call.arguments for call in called.tool_calls] == [{"path": "docs/ü.md", "limit": 12}]
    result = ToolResultMessage(called.tool_calls[0].id, "read", (Text("Grüße"),), False, 0)
    events = await answer(aimock, question, called, result, **fields)
    assert isinstance(events[-1], Done), events[-1]
    assert events[-1].message.text == "It says: Grüße 🌍."


async def test_thinking_switched_on_within_a_tool_loop_is_accepted(aimock: str) -> None:
    question = asked("please read the file")
    called = (await answer(aimock, question, model=BUDGET))[-1].message
    without = AssistantMessage(
        called.tool_calls, called.api, called.provider, called.model, called.usage, "toolUse", called.timestamp
    )
    result = ToolResultMessage(called.tool_calls[0].id, "read", (Text("Grüße"),), False, 0)
    events = await answer(aimock, question, without, result, model=BUDGET, thinking=ThinkingLevel.HIGH)
    assert isinstance(events[-1], Done), events[-1]


async def test_an_image_is_accepted(aimock: str) -> None:
    looked = UserMessage((Text("look here"), Image(DOT, "image/png")), 0)
    assert (await answer(aimock, looked))[-1].message.text == "I see it."


@pytest.mark.parametrize(
    ("text", "kind", "wait"),
    [
        ("too often", ErrorKind.RATE_LIMIT, 7.0),
        ("too much", ErrorKind.OVERLOADED, None),
        ("too long", ErrorKind.CONTEXT_OVERFLOW, None),
        ("cut it", ErrorKind.NETWORK, None),
        ("garble it", ErrorKind.MALFORMED, None),
        ("hang up", ErrorKind.NETWORK, None),
    ],
)
async def test_each_fault_has_its_class(aimock: str, text: str, kind: ErrorKind, wait: float | None) -> None:
    end = (await answer(aimock, asked(text)))[-1]
    assert isinstance(end, Failed), end
    assert end.failure.kind is kind
    assert end.message.error_kind == kind
    if wait is not None:
        assert end.failure.retry_after == wait


@pytest.mark.parametrize("text", ["take your time", "say on"])
async def test_silence_counts_as_a_stall(aimock: str, text: str) -> None:
    limits = Limits(connect=0.3, first=0.3, active=0.3, quiet=0.3)
    end = (await answer(aimock, asked(text), limits=limits))[-1]
    assert isinstance(end, Failed), end
    assert end.failure.kind is ErrorKind.STREAM_STALL
