"""The tool `grep` as the model sees it."""

from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "pattern": {"type": "string", "minLength": 1, "description": "Regular expression, or plain text with literal"},
    "path": {"type": "string", "default": ".", "description": "Directory or file to search"},
    "glob": {"type": "string", "default": "", "description": "Only files that match this glob, such as *.py"},
    "ignoreCase": {"type": "boolean", "default": False, "description": "Take capital and small letters as equal"},
    "literal": {"type": "boolean", "default": False, "description": "Take the pattern as plain text"},
    "context": {"type": "integer", "minimum": 0, "default": 0, "description": "Lines to show around each match"},
    "limit": {"type": "integer", "minimum": 1, "default": 100, "description": "How many matches to show at most"},
}


def grep_tool() -> Tool:
    """The tool `grep`."""
    return Tool(
        name="grep",
        label="Search",
        description=(Path(__file__).parent / "grep.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="Search the contents of files for a regular expression, ignore files honoured",
    )


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import place_of

    from pi_tool_grep.query import Query
    from pi_tool_grep.searching import Searcher

    query = Query(
        params["pattern"],
        glob=params.get("glob") or "",
        ignore_case=bool(params.get("ignoreCase")),
        literal=bool(params.get("literal")),
        context=params.get("context") or 0,
        limit=params.get("limit") or 100,
    )
    return await Searcher(place_of(context)).search(query, params.get("path") or ".")
