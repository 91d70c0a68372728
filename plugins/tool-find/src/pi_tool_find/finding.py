"""Listing a tree, with fd or without, and picking what a glob matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pi_api.tool import ToolResult
from pi_api.truncate import truncate_head
from pi_files import Place, StopSignal, in_thread
from pi_files.glob import path_matcher
from pi_files.walk import order, walk

from pi_tool_find.fd import fd_listing


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds for one session. `programs`: fd may be used where it is installed."""

    place: Place
    programs: bool = True

    async def find(self, pattern: str, argument: str, limit: int) -> ToolResult:
        """The result for one call. Raises `ToolError`."""
        matches = (lambda path: True) if pattern == "." else path_matcher(pattern)
        root = await in_thread(lambda stop: self.place.directory(argument))
        complete = True
        found: Sequence[str] | None = None
        if self.programs and self.place.operations.local:
            listing = await fd_listing(root, matches)
            if listing is not None:
                found, complete = listing.paths, listing.complete
        if found is None:
            found = await in_thread(lambda stop: self._walk(root, matches, stop))
        return self._show(root, pattern, sorted(found, key=order), limit, complete)

    def _walk(self, root: PurePath, matches: Callable[[str], bool], stop: StopSignal) -> list[str]:
        entries = walk(self.place.operations, root, tool_file=".fdignore", check=stop.check)
        return [entry.path + "/" * entry.is_directory for entry in entries if matches(entry.path)]

    def _show(self, root: PurePath, pattern: str, found: Sequence[str], limit: int, complete: bool) -> ToolResult:
        shown_root = self.place.show(root)
        unfinished = "" if complete else " The search was stopped after 5 minutes; search a smaller directory."
        if not found:
            return ToolResult.text(
                f"Nothing in {shown_root} matches {pattern} (ignored files are not searched).{unfinished}",
                details={"matches": 0, "shown": 0},
            )
        shown = [self.place.show(root / path) + "/" * path.endswith("/") for path in found[:limit]]
        cut = truncate_head("\n".join(shown), max_lines=limit)
        text = cut.content
        if cut.output_lines < len(found) or unfinished:
            remedy = "Narrow the pattern or the path" + ("." if cut.truncated else ", or raise limit.")
            text += f"\n\n[{cut.output_lines} of {len(found)} matches shown. {remedy}{unfinished}]"
        return ToolResult.text(text, details={"matches": len(found), "shown": cut.output_lines})
