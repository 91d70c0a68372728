"""The names in a directory, as the model sees them."""

from pi_api.tool import ToolResult
from pi_api.truncate import truncate_head
from pi_files import Place
from pi_files.paths import showable


def list_directory(place: Place, argument: str, limit: int) -> ToolResult:
    """One name a line, `/` after directories and links to them. Raises `ToolError`."""
    directory = place.directory(argument)
    entries = sorted(place.operations.list(directory), key=lambda entry: (entry.name.casefold(), entry.name))
    if not entries:
        return ToolResult.text(f"{place.show(directory)} is empty.")
    names = [showable(entry.name) + "/" * entry.is_directory for entry in entries]
    cut = truncate_head("\n".join(names[:limit]), max_lines=limit)
    details = {"entries": len(names), "shown": cut.output_lines}
    if cut.output_lines == len(names):
        return ToolResult.text(cut.content, details=details)
    reason = "use find with a glob to pick some" if cut.truncated else "raise limit, or use find with a glob"
    notice = f"[{cut.output_lines} of {len(names)} entries shown; {reason}.]"
    return ToolResult.text(f"{cut.content}\n\n{notice}", details=details)
