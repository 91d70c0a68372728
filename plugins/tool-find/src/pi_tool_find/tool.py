"""The tool `find` as the model sees it."""

from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "pattern": {"type": "string", "minLength": 1, "description": "Glob, such as *.py or src/**/*.ts; . for everything"},
    "path": {
        "type": "string",
        "default": ".",
        "description": "Directory to search, if not the working directory",
    },
    "limit": {"type": "integer", "minimum": 1, "default": 1000, "description": "How many paths to show at most"},
}


def find_tool() -> Tool:
    """The tool `find`."""
    return Tool(
        name="find",
        label="Find",
        description=(Path(__file__).parent / "find.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="Find files by a glob, ignore files honoured",
    )


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import place_of

    from pi_tool_find.finding import Finder

    finder = Finder(place_of(context))
    return await finder.find(params["pattern"], params.get("path") or ".", params.get("limit") or 1000)
