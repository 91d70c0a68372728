"""Registered values: precedence, attribution, and taking a plugin's whole share back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_kernel.registry import Conflict, Kind, Registered, Registrar, Registry

FIRST: Kind[str] = Kind("first", key=str.lower)
LAST: Kind[str] = Kind("last", key=str.lower, last_wins=True)


@pytest.mark.parametrize(
    ("kind", "winner"), [(FIRST, Registered("a", "A", "one")), (LAST, Registered("a", "a", "two"))]
)
def test_of_one_name_the_kind_decides_which_value_is_in_force(kind: Kind[str], winner: Registered[str]) -> None:
    registry = Registry()
    registry.add(kind, "A", "one")
    registry.add(kind, "a", "two")
    assert registry.all(kind) == [winner]
    assert registry.get(kind, "a") == winner
    loser = {"one", "two"} - {winner.plugin}
    assert list(registry.conflicts(kind)) == [Conflict(kind.name, "a", winner.plugin, loser.pop())]


def test_an_unknown_name_is_none() -> None:
    assert Registry().get(FIRST, "nobody") is None


def test_forgetting_the_winner_uncovers_the_value_it_hid() -> None:
    registry = Registry()
    registry.add(FIRST, "A", "one")
    registry.add(FIRST, "a", "two")
    registry.forget("one")
    assert registry.all(FIRST) == [Registered("a", "a", "two")]


def test_a_registrar_attributes_and_takes_back_only_its_own() -> None:
    registry = Registry()
    one, two = Registrar(registry, "one"), Registrar(registry, "two")
    one.add(FIRST, "x")
    two.add(FIRST, "y")
    two.remove(FIRST, "x")
    one.remove(FIRST, "y")
    assert [(value.name, value.plugin) for value in registry.all(FIRST)] == [("x", "one"), ("y", "two")]
    one.remove(FIRST, "x")
    assert [value.name for value in registry.all(FIRST)] == ["y"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["p", "q", "r"]), st.sampled_from([FIRST, LAST]))))
def test_a_forgotten_plugin_leaves_what_would_be_there_without_it(adds: list[tuple[str, str, Kind[str]]]) -> None:
    with_q, without_q = Registry(), Registry()
    for name, plugin, kind in adds:
        with_q.add(kind, name, plugin)
        if plugin != "q":
            without_q.add(kind, name, plugin)
    with_q.forget("q")
    for kind in (FIRST, LAST):
        assert with_q.all(kind) == without_q.all(kind)
