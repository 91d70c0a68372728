"""The model table and what an answer costs.

`models.json` holds facts of Anthropic's public price and model lists: windows and output limits in tokens, prices in US
dollars per million tokens, `tiers` of higher prices for long inputs, the names of thinking efforts.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from pi_api.model import Model, Prices
from pi_api.usage import Usage

PROVIDER = "anthropic"
API = "anthropic-messages"
BASE_URL = "https://api.anthropic.com"
HOUR_WRITE_FACTOR = 2.0
"""What writing to the one-hour cache costs, as a multiple of the input price."""


@cache
def models() -> tuple[Model, ...]:
    """The models; the first is the default."""
    rows = json.loads(Path(__file__).with_name("models.json").read_text(encoding="utf-8"))
    common = {"provider": PROVIDER, "api": API, "baseUrl": BASE_URL}
    return tuple(Model.from_json({**common, **row}) for row in rows)


def priced(model: Model, usage: Usage, hour_writes: int = 0) -> Usage:
    """The usage with its cost: the tier the input falls into, and the dearer one-hour share of cache writes."""
    rates = rates_for(model.cost, usage.input + usage.cache_read + usage.cache_write)
    plain = replace(model, cost=rates).price(usage)
    extra = hour_writes * (HOUR_WRITE_FACTOR * rates.input - rates.cache_write) / 1e6
    cost = replace(plain.cost, cache_write=plain.cost.cache_write + extra, total=plain.cost.total + extra)
    return replace(plain, cost=cost)


def rates_for(prices: Prices, input_tokens: int) -> Prices:
    """The prices for an input of this length; tiers apply above their threshold, the highest one wins."""
    tiers = [tier for tier in prices.extra.get("tiers", ()) if input_tokens > tier["inputTokensAbove"]]
    if not tiers:
        return prices
    return Prices.from_json(max(tiers, key=lambda tier: float(tier["inputTokensAbove"])))
