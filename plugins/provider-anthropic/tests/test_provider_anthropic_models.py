"""The model table, prices, the manifest, and what loading it costs."""

import subprocess
import sys
from typing import Any, cast

import pytest
from pi_api.kinds import PROVIDERS, SETTINGS_SECTIONS
from pi_api.model import Model, Prices, ThinkingLevel
from pi_api.settings import SettingsSection
from pi_api.usage import Usage
from pi_provider_anthropic import plugin
from pi_provider_anthropic.models import models, priced
from pi_testkit.contracts import SettingsContract


def model(model_id: str) -> Model:
    return next(one for one in models() if one.id == model_id)


@pytest.mark.parametrize("one", models(), ids=lambda one: one.id)
def test_each_model_is_described_in_full(one: Model) -> None:
    assert (one.provider, one.api, one.base_url) == ("anthropic", "anthropic-messages", "https://api.anthropic.com")
    assert one.name.startswith("Claude")
    assert set(one.input) == {"text", "image"}
    assert one.context_window >= 200_000
    assert one.max_tokens >= 64_000
    prices = one.cost
    assert prices.output == pytest.approx(5 * prices.input)
    assert prices.cache_write == pytest.approx(1.25 * prices.input)
    assert 0 < prices.cache_read < prices.input


@pytest.mark.parametrize(
    ("model_id", "levels"),
    [
        ("claude-opus-5-5", "low medium high xhigh max"),
        ("claude-sonnet-4-6", "off minimal low medium high max"),
        ("claude-haiku-4-5", "off minimal low medium high"),
        ("claude-haiku-5-5", "off low medium high xhigh max"),
    ],
)
def test_thinking_levels(model_id: str, levels: str) -> None:
    assert [str(level) for level in model(model_id).thinking_levels] == levels.split()
    assert model("claude-opus-5-5").clamp(ThinkingLevel.OFF) is ThinkingLevel.LOW


PLAIN = Model("m", "p", "a", cost=Prices(input=4, output=20, cache_read=0.4, cache_write=5))
TIERED = Model("m", "p", "a", cost=Prices.from_json({
    "input": 1, "output": 5, "cacheRead": 0.1, "cacheWrite": 1.25,
    "tiers": [
        {"inputTokensAbove": 100, "input": 2, "output": 10, "cacheRead": 0.2, "cacheWrite": 2.5},
        {"inputTokensAbove": 200, "input": 4, "output": 20, "cacheRead": 0.4, "cacheWrite": 5},
    ],
}))  # fmt: skip
MILLION = 1_000_000


@pytest.mark.parametrize(
    ("one", "usage", "hour", "dollars"),
    [
        (PLAIN, Usage(input=MILLION), 0, 4.0),
        (PLAIN, Usage(output=MILLION), 0, 20.0),
        (PLAIN, Usage(cache_read=MILLION), 0, 0.4),
        (PLAIN, Usage(cache_write=MILLION), 0, 5.0),
        (PLAIN, Usage(cache_write=MILLION), MILLION, 8.0),
        (PLAIN, Usage(cache_write=MILLION), MILLION // 2, 6.5),
        (TIERED, Usage(input=100, output=MILLION), 0, 5.0001),
        (TIERED, Usage(input=50, cache_read=51, output=MILLION), 0, 10.0001102),
        (TIERED, Usage(input=201, output=MILLION), 0, 20.000804),
    ],
)
def test_an_answer_is_priced(one: Model, usage: Usage, hour: int, dollars: float) -> None:
    cost = priced(one, usage, hour).cost
    assert cost.total == pytest.approx(dollars)
    assert cost.total == pytest.approx(cost.input + cost.output + cost.cache_read + cost.cache_write)


class TestSection(SettingsContract):
    @pytest.fixture
    def section(self, plugin_host: Any) -> SettingsSection:
        return cast(SettingsSection, plugin_host(plugin).get(SETTINGS_SECTIONS, "anthropic"))


def test_the_manifest_gives_the_provider_and_its_settings(plugin_host: Any) -> None:
    host = plugin_host(plugin)
    provider = host.provider("anthropic")
    assert provider.models()[0].id == "claude-opus-5-5"
    assert not provider.last_resort
    assert "ANTHROPIC_API_KEY" in provider.secret_variables
    assert host.get(SETTINGS_SECTIONS, "anthropic").env == (("ANTHROPIC_BASE_URL", "baseUrl"),)
    assert [found.plugin for found in host.kernel.all(PROVIDERS)] == ["provider-anthropic"]


@pytest.mark.parametrize(
    "code",
    [
        "import pi_provider_anthropic.plugin",
        "from pi_provider_anthropic.provider import AnthropicProvider; AnthropicProvider().models()",
    ],
)
def test_nothing_heavy_is_loaded_before_the_first_request(code: str) -> None:
    heavy = "{'httpx', 'pydantic', 'httpcore', 'anyio'}"
    script = f"import sys; {code}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
