"""One search from path argument to result, by rg or without it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pi_api.tool import ToolResult
from pi_files import Place, StopSignal, in_thread
from pi_files.errors import Failed, NotAFile

from pi_tool_grep.query import Collector, Query, Scope
from pi_tool_grep.render import render
from pi_tool_grep.ripgrep import RipgrepBroken, rg_program, search_with_rg
from pi_tool_grep.scan import is_binary, scan

TIMEOUT = 300.0


class _OutOfTime(Exception):
    """The scan has taken too long; what was found so far is shown."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches for one session. `programs`: rg may be used where it is installed; `timeout` is in seconds."""

    place: Place
    programs: bool = True
    timeout: float = TIMEOUT

    async def search(self, query: Query, argument: str) -> ToolResult:
        """The result for one call. Raises `ToolError`."""
        query.accepts()
        scope = await in_thread(lambda stop: self._scope(argument))
        collector, finished = await self._collect(query, scope)
        binary = False
        if scope.name and not collector.files:
            binary = await in_thread(lambda stop: is_binary(self.place.operations, scope.root / scope.name))
        return render(self.place, query, scope, collector, finished=finished, binary=binary)

    async def _collect(self, query: Query, scope: Scope) -> tuple[Collector, bool]:
        """What is found, and whether the search came to its end."""
        program = await rg_program() if self.programs and self.place.operations.local else None
        if program:
            collector = Collector(query)
            try:
                return collector, await search_with_rg(program, query, scope, collector, self.timeout)
            except (RipgrepBroken, Failed):
                pass
        scanned = Collector(query)
        return scanned, await in_thread(lambda stop: self._scan(query, scope, scanned, stop))

    def _scope(self, argument: str) -> Scope:
        path, found = self.place.existing(argument)
        if found.kind == "other":
            raise NotAFile(f"{self.place.show(path)} is a device, pipe or socket; search a file or a directory")
        return Scope(path) if found.kind == "directory" else Scope(path.parent, path.name)

    def _scan(self, query: Query, scope: Scope, collector: Collector, stop: StopSignal) -> bool:
        try:
            scan(self.place.operations, query, scope, collector, _until(time.monotonic() + self.timeout, stop))
        except _OutOfTime:
            return False
        return True


def _until(deadline: float, stop: StopSignal) -> Callable[[], None]:
    def check() -> None:
        stop.check()
        if time.monotonic() > deadline:
            raise _OutOfTime

    return check
