"""Matches as text for the model."""

from collections.abc import Iterator

from pi_api.tool import ToolResult
from pi_api.truncate import MAX_LINE_CHARS, truncate_head, truncate_line
from pi_files import Place

from pi_tool_grep.query import Collector, FileMatches, Query, Scope

_MANY_LINES = 1_000_000


def render(
    place: Place, query: Query, scope: Scope, collector: Collector, *, finished: bool, binary: bool
) -> ToolResult:
    """Files with their lines, then notices of what is missing and what to do."""
    target = place.show(scope.root / scope.name)
    notices = [] if finished else ["The search was stopped after 5 minutes; search a smaller directory."]
    if binary:
        notices.append(f"{target} is binary, so it was not searched.")
    if not collector.files:
        picked = f" in files that match {query.glob}" if query.glob else ""
        text = "\n".join([f"No matches for {query.pattern!r} in {target}{picked}", *notices])
        return ToolResult.text(text, details={"matches": 0, "files": 0})
    blocks = [
        "\n".join([place.show(scope.root / found.path), *_lines(found, query.context)]) for found in collector.files
    ]
    cut = truncate_head("\n\n".join(blocks), max_lines=_MANY_LINES)
    if cut.truncated:
        notices.append("Only the first 50 KiB are shown; narrow the search with path, glob or a longer pattern.")
    if collector.limited:
        notices.append(f"Stopped after {collector.matches} matches; raise limit or narrow the search.")
    if any(len(line.text) > MAX_LINE_CHARS for found in collector.files for line in found.lines):
        notices.append(f"Lines are clipped to {MAX_LINE_CHARS} characters around the match; read shows them whole.")
    text = "\n\n".join(filter(None, [cut.content, "\n".join(f"[{notice}]" for notice in notices)]))
    details = {"matches": collector.matches, "files": len(collector.files), "limited": collector.limited}
    return ToolResult.text(text, details=details)


def _lines(found: FileMatches, context: int) -> Iterator[str]:
    last = None
    for line in found.lines:
        if context and last is not None and line.number > last + 1:
            yield "--"
        last = line.number
        yield f"{line.number}{':' if line.matches else '-'} {truncate_line(line.text, focus=line.focus)}"
