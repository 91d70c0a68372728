"""The tool `read` as the model sees it."""

from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "File to read, relative to the working directory or absolute"},
        "offset": {"type": "integer", "minimum": 1, "description": "First line to show, counted from 1"},
        "limit": {"type": "integer", "minimum": 1, "description": "How many lines to show at most"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def read_tool() -> Tool:
    """The tool `read`."""
    return Tool(
        name="read",
        label="Read",
        description=(Path(__file__).parent / "read.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="Read a text file, whole or in parts, or an image",
        guidelines=("Use read to look at files instead of cat or sed.",),
    )


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import ReadLedger, in_thread, place_of

    from pi_tool_read.reading import Reader

    model = getattr(context.session, "model", None)
    reader = Reader(place_of(context), context.state(ReadLedger), sees_images=model is None or "image" in model.input)
    return await in_thread(lambda stop: reader.read(params["path"], params.get("offset"), params.get("limit"), stop))
