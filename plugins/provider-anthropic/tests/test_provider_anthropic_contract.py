"""The provider keeps the contract of providers, over a real socket."""

from typing import Any

import pytest
from pi_api.messages import UserMessage
from pi_api.provider import Request
from pi_provider_anthropic.models import models
from pi_provider_anthropic.provider import AnthropicProvider
from pi_testkit.contracts import ProviderContract


class TestAnthropic(ProviderContract):
    @pytest.fixture
    def provider(self, server: Any) -> AnthropicProvider:
        server.plays("thinking_and_tools")
        return AnthropicProvider({"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": server.url})

    @pytest.fixture
    def good_request(self) -> Request:
        return Request(models()[0], "You are pi.", (UserMessage("hello", 0),))

    @pytest.fixture
    def bad_request(self, server: Any, good_request: Request) -> Request:
        server.refuses(529, '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}')
        return good_request
