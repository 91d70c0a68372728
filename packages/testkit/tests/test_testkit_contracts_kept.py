from collections.abc import Callable
from typing import Any

import pytest
from pi_api import Request, Tool, ToolError, ToolResult, UserMessage
from pi_api.provider import Provider
from pi_kernel import hookimpl
from pi_testkit import FAKE_MODEL, Call, Fail, FakeProvider, PluginHost, Think, Turn
from pi_testkit.contracts import ProviderContract, ToolContract


class Shouting:
    name = "shouting"

    @hookimpl
    def pi_tools(self, register: Callable[[Tool], None]) -> None:
        async def shout(params: dict[str, Any], context: Any) -> ToolResult:
            if not params["text"]:
                raise ToolError("text is empty: there is nothing to shout; give at least one word")
            return ToolResult.text(params["text"].upper())

        register(Tool("shout", "Say it very loudly.", {"text": {"type": "string"}}, shout, snippet="Say it loudly"))


class TestShout(ToolContract):
    calls = ({"text": "hello"},)
    refusals = ({"text": ""},)
    invalid = ({}, {"text": 1})

    @pytest.fixture
    def tool(self, plugin_host: Callable[..., PluginHost]) -> Tool:
        return plugin_host(Shouting()).tool("shout")


def ask(text: str) -> Request:
    return Request(FAKE_MODEL, "", (UserMessage(text, 0),))


def answer(request: Request) -> Turn:
    if request.messages[0].content == "fail":
        return Turn("I was about to", Fail())
    return Turn(Think("hm"), "Let me look at it.", Call("read", {"path": "a.txt"}))


class TestFakeProvider(ProviderContract):
    @pytest.fixture
    def provider(self) -> FakeProvider:
        return FakeProvider([answer, answer])

    @pytest.fixture
    def good_request(self) -> Request:
        return ask("go")

    @pytest.fixture
    def bad_request(self) -> Request:
        return ask("fail")

    def open_connections(self, provider: Provider) -> int:
        assert isinstance(provider, FakeProvider)
        return provider.open
