"""Checking arguments; the cases stand in schema.toml and are held against an independent validator."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pi_agent.schema import Schemas, compiled
from pi_api import Tool, ToolResult

DATA = tomllib.loads(Path(__file__).with_name("schema.toml").read_text("utf-8"))


async def run(params: dict[str, Any], context: Any) -> ToolResult:
    return ToolResult.text("")


TOOL = Tool("edit", "Edits.", DATA["schema"], run)


@pytest.mark.parametrize("case", DATA["case"], ids=[case["arguments"] for case in DATA["case"]])
def test_the_text_names_path_expected_and_received(case: dict[str, str]) -> None:
    assert Schemas().problem(TOOL, json.loads(case["arguments"])) == (
        f"Wrong arguments for the tool 'edit'.\nAt: {case['at']}\nExpected: {case['expected']}\n"
        f"Received: {case['received']}\nAll arguments: {case['arguments']}"
    )
    assert not Draft202012Validator(DATA["schema"]).is_valid(json.loads(case["arguments"]))


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "head"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["old", "new"]), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["path", "limit", "mode", "edits", "other"]), values, max_size=4))
def test_it_agrees_with_an_independent_validator(arguments: dict[str, Any]) -> None:
    expected = Draft202012Validator(DATA["schema"]).is_valid(arguments)
    assert (SCHEMAS.problem(TOOL, arguments) is None) == expected


SCHEMAS = Schemas()


def test_long_values_are_cut() -> None:
    problem = Schemas().problem(TOOL, {"path": "a", "limit": "x" * 10_000})
    assert problem is not None
    assert len(problem) < 2600 and "..." in problem


UNUSABLE = {
    "a type that does not exist": {"type": "object", "properties": {"a": {"type": "strange"}}},
    "a pattern Python cannot read": {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?<"}}},
    "a reference to the network": {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x.json"}}},
    "a reference to nothing": {"type": "object", "properties": {"a": {"$ref": "#/definitions/missing"}}},
    "no schema": {"type": "object", "properties": 3},
}


@pytest.mark.parametrize("schema", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_schema_lets_any_object_through(schema: dict[str, Any]) -> None:
    check = compiled(schema)
    check({"a": "anything"})


def test_local_references_are_followed() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/name"}},
        "$defs": {"name": {"type": "string", "pattern": "^[a-z]+$"}},
    }
    tool = Tool("t", "Tests.", schema, run)
    assert Schemas().problem(tool, {"a": "abc"}) is None
    assert "At: a" in (Schemas().problem(tool, {"a": "ABC"}) or "")
