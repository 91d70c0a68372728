"""The tool `ls` as the model sees it."""

from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "path": {"type": "string", "default": ".", "description": "Directory to list; the working directory if not given"},
    "limit": {"type": "integer", "minimum": 1, "default": 500, "description": "How many names to show at most"},
}


def ls_tool() -> Tool:
    """The tool `ls`."""
    return Tool(
        name="ls",
        label="List",
        description=(Path(__file__).parent / "ls.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="List the names in a directory",
    )


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import in_thread, place_of

    from pi_tool_ls.listing import list_directory

    place, path, limit = place_of(context), params.get("path") or ".", params.get("limit") or 500
    return await in_thread(lambda stop: list_directory(place, path, limit))
