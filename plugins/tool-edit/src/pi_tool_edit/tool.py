"""The tool `edit` as the model sees it."""

import json
from pathlib import Path
from typing import Any

from pi_api.tool import Tool, ToolContext, ToolResult

_PARAMETERS = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "File to edit, relative to the working directory or absolute"},
        "edits": {
            "type": "array",
            "minItems": 1,
            "description": "Replacements, all matched against the file as it is now",
            "items": {
                "type": "object",
                "properties": {
                    "oldText": {"type": "string", "minLength": 1, "description": "Text that occurs exactly once"},
                    "newText": {"type": "string", "description": "Text to put in its place"},
                },
                "required": ["oldText", "newText"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path", "edits"],
    "additionalProperties": False,
}


def edit_tool() -> Tool:
    """The tool `edit`."""
    return Tool(
        name="edit",
        label="Edit",
        description=(Path(__file__).parent / "edit.md").read_text("utf-8").strip(),
        parameters=_PARAMETERS,
        run=_run,
        snippet="Change a file by replacing pieces of text that occur exactly once",
        guidelines=(
            "Use edit for changes to existing files, with several edits in one call rather than several calls.",
            "Keep the oldText of edit short but unique; never pad it with lines that do not change.",
        ),
        prepare=prepare,
    )


def prepare(arguments: dict[str, Any]) -> dict[str, Any]:
    """Fold the older shape `{path, oldText, newText}` into `edits`, and read `edits` given as JSON text."""
    edits = arguments.get("edits")
    if isinstance(edits, str):
        try:
            edits = json.loads(edits)
        except ValueError:
            return arguments
    rest = {key: value for key, value in arguments.items() if key not in ("edits", "oldText", "newText")}
    if isinstance(edits, dict):
        edits = [edits]
    if "oldText" in arguments and "newText" in arguments:
        single = {"oldText": arguments["oldText"], "newText": arguments["newText"]}
        edits = [*(edits if isinstance(edits, list) else ()), single]
    elif edits is arguments.get("edits"):
        return arguments
    return {**rest, "edits": edits}


async def _run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    from pi_files import ReadLedger, file_lock, in_thread, place_of

    from pi_tool_edit.editing import Edit, Editor

    place = place_of(context)
    edits = [Edit(edit["oldText"], edit["newText"]) for edit in params["edits"]]
    editor = Editor(place, context.state(ReadLedger))
    path, _ = await in_thread(lambda stop: place.existing(params["path"]))
    real = await in_thread(lambda stop: place.operations.real_path(path))
    async with file_lock(real, place.operations.system):
        return await in_thread(lambda stop: editor.edit(path, real, edits))
