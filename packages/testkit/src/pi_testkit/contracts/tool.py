"""What pi expects of a tool."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from jsonschema import Draft202012Validator
from pi_api.tool import Tool, ToolContext, ToolError, ToolResult

from pi_testkit.context import FakeToolContext

Arguments = Mapping[str, Any]

MAX_TEXT = 64 * 1024
"""Bytes of text in one result: 50 KiB and room for notices."""


class ToolContract:
    """Subclass and define the fixture `tool`.

    `calls` lists arguments that must succeed, `refusals` those that must raise `ToolError`, `invalid` those that the
    schema must not accept, `endless` those of a call that runs until it is cancelled. Calls run in the fixture
    `context`, a `FakeToolContext` in `tmp_path`; override it to prepare files.
    """

    calls: ClassVar[Sequence[Arguments]] = ()
    refusals: ClassVar[Sequence[Arguments]] = ()
    invalid: ClassVar[Sequence[Arguments]] = ()
    endless: ClassVar[Sequence[Arguments]] = ()
    CASES: ClassVar[Mapping[str, str]] = {
        "call": "calls",
        "refusal": "refusals",
        "mistake": "invalid",
        "endless_call": "endless",
    }

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        return FakeToolContext(tmp_path)

    def test_the_name_suits_every_provider(self, tool: Tool) -> None:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", tool.name)

    def test_the_description_says_something(self, tool: Tool) -> None:
        assert len(tool.description.split()) >= 3
        assert tool.description == tool.description.strip()

    def test_the_snippet_is_one_short_line(self, tool: Tool) -> None:
        assert tool.snippet == tool.snippet.strip()
        assert "\n" not in tool.snippet and len(tool.snippet) <= 160

    def test_guidelines_are_single_lines_that_name_the_tool(self, tool: Tool) -> None:
        wrong = [line for line in tool.guidelines if "\n" in line or tool.name not in line]
        assert wrong == []

    def test_the_schema_is_a_valid_json_schema_of_an_object(self, tool: Tool) -> None:
        schema = tool.schema
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert set(schema.get("required", ())) <= set(schema.get("properties", {}))
        assert json.loads(json.dumps(schema)) == schema

    async def test_a_good_call_is_valid_and_answers(self, tool: Tool, context: ToolContext, call: Arguments) -> None:
        prepared = tool.prepare(dict(call)) if tool.prepare else dict(call)
        assert [error.message for error in Draft202012Validator(tool.schema).iter_errors(prepared)] == []
        result = await tool.run(prepared, context)
        assert isinstance(result, ToolResult)
        assert result.content, "a result has at least one block"
        assert len(result.plain.encode("utf-8", "replace")) <= MAX_TEXT
        assert json.loads(json.dumps(result.details)) == result.details

    async def test_a_refusal_is_a_tool_error_that_explains_itself(
        self, tool: Tool, context: ToolContext, refusal: Arguments
    ) -> None:
        prepared = tool.prepare(dict(refusal)) if tool.prepare else dict(refusal)
        with pytest.raises(ToolError) as raised:
            await tool.run(prepared, context)
        text = str(raised.value)
        assert len(text.split()) >= 5, f"what happened, to what, and what to do instead: {text!r}"
        assert "Traceback" not in text and "Errno" not in text, text

    def test_wrong_arguments_do_not_pass_the_schema(self, tool: Tool, mistake: Arguments) -> None:
        prepared = tool.prepare(dict(mistake)) if tool.prepare else dict(mistake)
        assert not Draft202012Validator(tool.schema).is_valid(prepared)

    async def test_a_cancelled_call_ends(self, tool: Tool, context: ToolContext, endless_call: Arguments) -> None:
        running = asyncio.ensure_future(tool.run(dict(endless_call), context))
        done, _ = await asyncio.wait({running}, timeout=0.2)
        assert not done, "the call was expected to run on"
        running.cancel()
        done, _ = await asyncio.wait({running}, timeout=20)
        assert done, "still running long after it was cancelled"
        assert running.cancelled()
