"""Both theme files: the tokens of the format, resolvable colours, and text that can be read on its background."""

import json
import re
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

NAMES = ("dark", "light")
TOKENS = Path(__file__).with_name("tokens.txt").read_text(encoding="utf-8").split()
BACKGROUNDS = [token for token in TOKENS if token.endswith("Bg")]
LINES = {"border", "borderAccent", "borderMuted", "mdCodeBlockBorder", "mdQuoteBorder", "mdHr", "thinkingOff"}
FAINT = {"dim", "mdLinkUrl", "thinkingMinimal"}
TEXT = [token for token in TOKENS if token not in {*BACKGROUNDS, *LINES}]


def theme(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((files("pi_themes") / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def colour(name: str, token: str) -> str:
    value = str(theme(name)["colors"][token])
    return str(theme(name)["vars"].get(value, value))


def luminance(value: str) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    channels = [int(value[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_format_has_51_tokens() -> None:
    assert len(set(TOKENS)) == len(TOKENS) == 51


@pytest.mark.parametrize("name", NAMES)
def test_a_theme_has_its_name_and_exactly_the_tokens_of_the_format(name: str) -> None:
    assert theme(name)["name"] == name
    assert sorted(theme(name)["colors"]) == sorted(TOKENS)
    assert set(theme(name)["export"]) == {"pageBg", "cardBg", "infoBg"}


@pytest.mark.parametrize(("name", "token"), list(product(NAMES, TOKENS)))
def test_every_colour_resolves(name: str, token: str) -> None:
    assert colour(name, token) == "" or re.fullmatch(r"#[0-9a-f]{6}", colour(name, token))


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_is_used(name: str) -> None:
    assert set(theme(name)["vars"]) <= set(theme(name)["colors"].values())


@pytest.mark.parametrize(("name", "token"), list(product(NAMES, TEXT)))
def test_text_can_be_read_on_the_page_and_on_every_panel(name: str, token: str) -> None:
    backgrounds = [theme(name)["export"]["pageBg"], *(colour(name, background) for background in BACKGROUNDS)]
    required = 3.0 if token in FAINT else 4.5
    if colour(name, token):
        assert min(contrast(colour(name, token), background) for background in backgrounds) >= required


def test_dark_is_dark_and_light_is_light() -> None:
    assert luminance(theme("dark")["export"]["pageBg"]) < 0.1 < 0.9 < luminance(theme("light")["export"]["pageBg"])
