"""Thinking levels and prices of a model, and the classes of failure."""

import pytest
from pi_api import ErrorKind, Model, ThinkingLevel, Usage
from pi_api.model import Prices


def model(**fields: object) -> Model:
    return Model("m", "p", "a", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "levels"),
    [
        ({}, "off"),
        ({"reasoning": True}, "off minimal low medium high"),
        ({"reasoning": True, "thinking_level_map": {"xhigh": "max"}}, "off minimal low medium high xhigh"),
        ({"reasoning": True, "thinking_level_map": {"off": None, "minimal": None}}, "low medium high"),
        ({"reasoning": True, "thinking_level_map": {"ultra": None}}, "off minimal low medium high"),
        ({"reasoning": False, "thinking_level_map": {"high": "high"}}, "off"),
    ],
)
def test_the_levels_a_model_has(fields: dict[str, object], levels: str) -> None:
    assert [str(level) for level in model(**fields).thinking_levels] == levels.split()


@pytest.mark.parametrize(
    ("mapping", "asked", "given"),
    [
        ({}, "medium", "medium"),
        ({}, "max", "high"),
        ({"medium": None}, "medium", "high"),
        ({"off": None}, "off", "minimal"),
        ({"max": "m"}, "xhigh", "max"),
        ({"max": "m"}, "ultra", "max"),
    ],
)
def test_a_level_the_model_lacks_is_raised_first_then_lowered(
    mapping: dict[str, str | None], asked: str, given: str
) -> None:
    assert model(reasoning=True, thinking_level_map=mapping).clamp(ThinkingLevel(asked)) == given


def test_the_price_of_an_answer() -> None:
    priced = model(cost=Prices(3, 15, 0.3, 3.75)).price(Usage(1_000_000, 100_000, 2_000_000, 400_000, 3_500_000))
    assert priced.cost.total == pytest.approx(3 + 1.5 + 0.6 + 1.5)
    assert priced.input == 1_000_000


@pytest.mark.parametrize("kind", ErrorKind)
def test_every_failure_class_asks_for_at_most_one_kind_of_recovery(kind: ErrorKind) -> None:
    assert kind.retryable + kind.should_compact + kind.should_rotate <= 1


def test_a_bad_answer_or_a_lost_line_may_be_tried_again_and_a_wrong_key_may_not() -> None:
    retryable = {kind for kind in ErrorKind if kind.retryable}
    assert retryable == {
        ErrorKind.OVERLOADED,
        ErrorKind.RATE_LIMIT,
        ErrorKind.SERVER_ERROR,
        ErrorKind.NETWORK,
        ErrorKind.STREAM_STALL,
        ErrorKind.MALFORMED,
    }
