"""One engine process: requests go in one at a time; each comes back as output and an answer, or the engine dies."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pi_process import Process, Spawn, Stdin, StdinClosed, Stream, start

from pi_shell_engine.failures import EngineDied, EngineFailure, ProtocolViolation
from pi_shell_engine.framing import Answer, ControlReader, OutputReader

OnOutput = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """One command; `env` is `None` when the engine has it already."""

    command: str
    cwd: str
    env: Mapping[str, str] | None
    stdin: bytes = b""
    split: bool = False
    powershell: str | None = None

    def line(self, request_id: str) -> bytes:
        """The request as it is written to the engine."""
        fields: dict[str, Any] = {"id": request_id, "command": self.command, "cwd": self.cwd}
        if self.env is not None:
            fields["env"] = dict(self.env)
        if self.stdin:
            fields["stdin"] = base64.b64encode(self.stdin).decode("ascii")
        if self.powershell is not None:
            fields["powershell"] = self.powershell
        if self.split:
            fields["split"] = True
        return json.dumps(fields).encode("ascii") + b"\n"


class Coordinator:
    """A running engine. After an `EngineFailure`, a timeout or a cancellation it must be closed."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._call: _Call | None = None
        self._late = 0
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def launch(cls, argv: tuple[str, ...], env: Mapping[str, str], cwd: str) -> Coordinator:
        """Start an engine. Raises a `LaunchError`."""
        return cls(await start(Spawn(argv, cwd=cwd, env=env, stdin=Stdin.PIPE, merge_stderr=False)))

    @property
    def pid(self) -> int:
        """The pid of the engine's process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it can take another request."""
        return self._process.running and not self._reader.done()

    def take_late(self) -> int:
        """How many bytes arrived that belong to no command, since this was last asked."""
        late, self._late = self._late, 0
        return late

    async def ask(self, request: EngineRequest, on_output: OnOutput) -> Answer:
        """Run one command. Raises an `EngineFailure`; whatever it raises, held-back output has been handed over."""
        request_id = secrets.token_hex(8)
        call = self._call = _Call(request_id, on_output)
        writing = asyncio.ensure_future(self._write(request.line(request_id)))
        try:
            return await call.ended
        finally:
            self._call = None
            self._late += call.output.late
            writing.cancel()
            if rest := call.output.rest():
                await on_output(rest)

    async def close(self) -> None:
        """Kill the engine and everything it started."""
        self._reader.cancel()
        await self._process.close()

    def abort(self) -> None:
        """As `close`, without awaiting."""
        self._reader.cancel()
        self._process.abort()

    async def _write(self, line: bytes) -> None:
        try:
            await self._process.write(line)
        except StdinClosed:
            return

    async def _read(self) -> None:
        try:
            async for chunk in self._process:
                if chunk.stream is Stream.STDERR:
                    if self._call is None:
                        raise ProtocolViolation("the shell engine answered without being asked")
                    self._call.control.feed(chunk.data)
                elif self._call is None:
                    self._late += len(chunk.data)
                elif output := self._call.output.feed(chunk.data):
                    await self._call.on_output(output)
                if self._call is not None:
                    self._call.settle()
            raise EngineDied(await self._process.wait(), b"")
        except Exception as error:
            # Whoever waits for the call is told; without a call the next one finds this task done.
            if self._call is not None:
                self._call.fail(error)


class _Call:
    """One command on its way through the engine."""

    __slots__ = ("control", "ended", "on_output", "output")

    def __init__(self, request_id: str, on_output: OnOutput) -> None:
        self.output = OutputReader(request_id)
        self.control = ControlReader(request_id)
        self.on_output = on_output
        self.ended: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def settle(self) -> None:
        """Ends the call once both signals have arrived."""
        if self.output.ended and self.control.answer is not None and not self.ended.done():
            self.ended.set_result(self.control.answer)

    def fail(self, error: Exception) -> None:
        """Ends the call with an error."""
        if isinstance(error, EngineDied) and self.control.held:
            error = EngineDied(error.exit_code, bytes(self.control.held))
        if not self.ended.done():
            self.ended.set_exception(error)


__all__ = ["Coordinator", "EngineFailure", "EngineRequest"]
