"""The tool `write` as the model sees it."""

from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "path": {"type": "string", "description": "File to write, relative to the working directory or absolute"},
    "content": {"type": "string", "description": "The complete content of the file"},
}


def write_tool() -> Tool:
    """The tool `write`."""
    return Tool(
        name="write",
        label="Write",
        description=(Path(__file__).parent / "write.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="Create a file, or replace one that you have read",
        guidelines=("Use write for new files and complete rewrites only.",),
    )


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import ReadLedger, file_lock, in_thread, place_of

    from pi_tool_write.writing import Writer

    place = place_of(context)
    writer = Writer(place, context.state(ReadLedger))
    path = await in_thread(lambda stop: place.target(params["path"]))
    real = await in_thread(lambda stop: place.operations.real_path(path))
    async with file_lock(real, place.operations.system):
        return await in_thread(lambda stop: writer.write(path, real, params["content"]))
