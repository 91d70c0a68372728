"""Search programs that may be installed, run with their output read record by record."""

import asyncio
import shutil
import time
from collections import deque
from collections.abc import Sequence
from pathlib import PurePath
from types import TracebackType
from typing import Self

from pi_process import LaunchError, Process, Spawn, Stream, capture, start

from pi_files.errors import Failed

_ERROR_TAIL = 4000
_versions: dict[str, tuple[int, ...]] = {}


class ProgramRun:
    """One run of a program: `async with` it, iterate over its records, then look at how it ended.

    Records come without their separator, which is one byte. `timed_out`: it was stopped after `timeout` seconds;
    leaving the block stops it as well. `problem` is the end of what it wrote to its error output, `exit_code` is `None`
    when it was stopped. Raises `Failed` when it does not start.
    """

    def __init__(self, argv: Sequence[str], cwd: PurePath, *, separator: bytes = b"\n", timeout: float) -> None:
        self._spawn = Spawn(tuple(argv), cwd=str(cwd), merge_stderr=False)
        self._separator = separator
        self._timeout = timeout
        self._process: Process | None = None
        self._ready: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._ended = False
        self._deadline = 0.0
        self.timed_out = False
        self.exit_code: int | None = None
        self.problem = ""

    async def __aenter__(self) -> Self:
        try:
            self._process = await start(self._spawn)
        except LaunchError as error:
            raise Failed(f"the search could not be run: {error}") from error
        self._deadline = time.monotonic() + self._timeout
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            await self._process.__aexit__(kind, error, trace)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        while not self._ready:
            if self._process is None or self.timed_out or self._ended:
                raise StopAsyncIteration
            await self._read(self._process)
        return self._ready.popleft()

    async def _read(self, process: Process) -> None:
        try:
            async with asyncio.timeout(max(self._deadline - time.monotonic(), 0)):
                chunk = await process.read()
                if chunk is None:
                    self.exit_code = await process.finished()
        except TimeoutError:
            self.timed_out = True
            return
        if chunk is None:
            self._ended = True
            self.problem = self.problem.strip()
            self._ready.extend(filter(None, [b"".join(self._rest)]))
        elif chunk.stream is Stream.STDERR:
            self.problem = (self.problem + chunk.data.decode("utf-8", "replace"))[-_ERROR_TAIL:]
        else:
            # A record of many chunks, as rg makes of a minified file, is put together once.
            first, *others = chunk.data.split(self._separator)
            self._rest.append(first)
            for piece in others:
                self._ready.append(b"".join(self._rest))
                self._rest = [piece]


def find_program(*names: str, path: str | None = None) -> str | None:
    """The full path of the first of these programs that is on the PATH."""
    return next((found for name in names if (found := shutil.which(name, path=path))), None)


async def program_version(program: str) -> tuple[int, ...]:
    """The version that `--version` prints, such as (14, 1, 0); empty when it does not run. Asked once per program."""
    if program not in _versions:
        _versions[program] = await _ask_version(program)
    return _versions[program]


async def _ask_version(program: str) -> tuple[int, ...]:
    printed = (await capture(Spawn((program, "--version")), timeout=10)).stdout.split()
    parts = printed[1].split(b".") if len(printed) > 1 else []
    return tuple(int(part) for part in parts if part.isdigit())
