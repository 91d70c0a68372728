"""Which model a session starts with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pi_api import Model, UsageError
from pi_cli.models import Choice, Wish, choose, model_table, resolve


@dataclass
class Source:
    """A provider with a table of models."""

    name: str
    ids: Sequence[str]
    missing: str | None = None
    last_resort: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def models(self) -> list[Model]:
        return [Model(name, self.name, "api", name.title(), reasoning=True, **self.options) for name in self.ids]

    def unavailable(self, env: Mapping[str, str]) -> str | None:
        return self.missing

    def stream(self, request: Any, **hooks: Any) -> Any:
        raise AssertionError("not asked here")


ANT = Source("ant", ["opus-4", "opus-4-20250101", "haiku-20240101", "haiku-20250101", "sonnet-4-5"])
OAI = Source("oai", ["gpt", "shared", "o:x"])
OTHER = Source("other", ["shared"], missing="set OTHER_KEY")
OFFLINE = Source("offline", ["offline"], last_resort=True)
ALL = [OFFLINE, ANT, OAI, OTHER]
MODELS = [model for source in ALL for model in source.models()]


@pytest.mark.parametrize(
    ("pattern", "reference", "level"),
    [
        ("ant/opus-4", "ant/opus-4", ""),
        ("opus-4", "ant/opus-4", ""),
        ("opus", "ant/opus-4", ""),
        ("OPUS", "ant/opus-4", ""),
        ("haiku", "ant/haiku-20250101", ""),
        ("haiku-20240101", "ant/haiku-20240101", ""),
        ("sonnet:high", "ant/sonnet-4-5", "high"),
        ("o:x", "oai/o:x", ""),
        ("o:x:low", "oai/o:x", "low"),
        ("other/shared", "other/shared", ""),
        ("", "offline/offline", ""),
    ],
)
def test_a_pattern_stands_for_a_model(pattern: str, reference: str, level: str) -> None:
    model, found = resolve(MODELS, pattern)
    assert (model.reference, found) == (reference, level)


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("shared", "oai/shared, other/shared"),
        ("opsu-4", "did you mean opus-4"),
        ("qqqqqq", "--list-models"),
        ("sonnet:loud", "'loud' is no thinking level"),
    ],
)
def test_a_pattern_that_stands_for_nothing_or_too_much(pattern: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        resolve(MODELS, pattern)


NOTHING = Wish()


@pytest.mark.parametrize(
    ("asked", "remembered", "settings", "reference", "thinking"),
    [
        (NOTHING, NOTHING, NOTHING, "ant/opus-4", "off"),
        (Wish(model="gpt"), Wish("ant", "haiku-20250101"), Wish("ant"), "oai/gpt", "off"),
        (Wish("oai"), NOTHING, NOTHING, "oai/gpt", "off"),
        (Wish("offline"), NOTHING, NOTHING, "offline/offline", "off"),
        (Wish("other", "shared"), NOTHING, NOTHING, "other/shared", "off"),
        (NOTHING, Wish("oai", "gpt", "high"), Wish("ant"), "oai/gpt", "high"),
        (NOTHING, NOTHING, Wish("oai"), "oai/gpt", "off"),
        (NOTHING, NOTHING, Wish(model="gpt", thinking="low"), "oai/gpt", "low"),
        (NOTHING, Wish("other", "shared"), Wish("oai", "gpt"), "oai/gpt", "off"),
        (Wish(thinking="max"), NOTHING, NOTHING, "ant/opus-4", "high"),
        (Wish(model="gpt:low"), Wish(thinking="high"), NOTHING, "oai/gpt", "low"),
        (Wish(model="gpt:low", thinking="medium"), NOTHING, NOTHING, "oai/gpt", "medium"),
    ],
)
def test_the_order_of_wishes(asked: Wish, remembered: Wish, settings: Wish, reference: str, thinking: str) -> None:
    choice = choose(ALL, {}, asked, remembered, settings)
    assert (choice.model.reference, str(choice.thinking)) == (reference, thinking)


def test_a_wish_that_cannot_be_met_now_is_said() -> None:
    choice = choose(ALL, {}, NOTHING, Wish("other", "shared"), NOTHING)
    assert choice.model.reference == "ant/opus-4"
    assert "other/shared cannot be used now" in choice.note
    assert "ant/opus-4" in choice.note


def test_the_last_resort_is_taken_only_when_nothing_else_can_be_used() -> None:
    dead = Source("ant", ["opus-4"], missing="set a key")
    assert choose([OFFLINE, dead], {}, NOTHING, NOTHING, NOTHING) == Choice(OFFLINE.models()[0], choice_off())


def choice_off() -> Any:
    from pi_api import ThinkingLevel

    return ThinkingLevel.OFF


@pytest.mark.parametrize(
    ("providers", "asked", "complaint"),
    [
        ([], NOTHING, "pi-provider-offline"),
        ([OTHER], NOTHING, "no provider can be used"),
        (ALL, Wish("nobody"), "no provider 'nobody'; installed are offline, ant, oai, other"),
        (ALL, Wish(model="gpt", thinking="loud"), "'loud' is no thinking level"),
    ],
)
def test_a_wish_of_the_command_line_is_met_or_refused(providers: list[Source], asked: Wish, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        choose(providers, {}, asked, NOTHING, NOTHING)


def test_the_table_lists_what_can_be_used_and_says_what_is_missing() -> None:
    lines = model_table(ALL, {}, "opus").splitlines()
    assert lines[0].split() == ["provider", "model", "context", "max", "out", "thinking", "images"]
    assert [line.split()[1] for line in lines[1:3]] == ["opus-4", "opus-4-20250101"]
    assert lines[-1] == "other: set OTHER_KEY"
    assert lines[1].split()[2:] == ["128K", "16.384K", "yes", "no"]
