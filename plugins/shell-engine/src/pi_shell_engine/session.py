"""The shell of one session: the host's side owns directory and environment, the engine only borrows them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from pi_api.shell import OnOutput, ShellCause, ShellHost, ShellOutcome, ShellRequest, ShellState
from pi_process import LaunchError, merge_environment

from pi_shell_engine.coordinator import Coordinator, EngineRequest
from pi_shell_engine.failures import EngineFailure, EngineUnavailable
from pi_shell_engine.framing import Answer
from pi_shell_engine.launch import engine_argv, engine_environment, start_folder

TIER = "engine"


class Interpreter(Protocol):
    """Finds the interpreter that runs engines."""

    async def path(self) -> str:
        """Its path. Raises `EngineUnavailable`."""


class EngineSession:
    """Commands of one session, one at a time, on an engine of its own that starts with the first."""

    def __init__(self, host: ShellHost, interpreter: Interpreter, powershell: str | None = None) -> None:
        self._interpreter = interpreter
        self._powershell = powershell
        self._turn = asyncio.Lock()
        self._engine: Coordinator | None = None
        self._state = host.state or ShellState(host.cwd, host.env)
        self._known = -1
        """The version of the state that the running engine has."""

    @property
    def engine_pid(self) -> int | None:
        """The pid of the running engine."""
        return self._engine.pid if self._engine is not None else None

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        async with self._turn:
            return await self._run(request, on_output)

    async def close(self) -> None:
        async with self._turn:
            await self._drop()

    async def _run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        try:
            engine = await self._started()
        except (LaunchError, EngineUnavailable) as error:
            return self._outcome("launch_failed", None, note=str(error))
        late = engine.take_late()
        asked = EngineRequest(
            request.command,
            str(self._state.cwd),
            None if self._known == self._state.version else self._state.env,
            request.stdin,
            request.split,
            self._powershell,
        )
        try:
            async with asyncio.timeout(request.timeout):
                answer = await engine.ask(asked, on_output)
        except TimeoutError:
            await self._drop()
            return self._outcome(
                "timeout", None, note=self._reset_note("everything the command had started was killed")
            )
        except EngineFailure as error:
            await self._drop()
            return self._outcome("died", None, note=self._reset_note(str(error)))
        except BaseException:
            self._abort()
            raise
        return self._applied(answer, late)

    def _applied(self, answer: Answer, late: int) -> ShellOutcome:
        """The outcome of an answered command, whose state is the session's from now on."""
        env = merge_environment(self._state.env, answer.env) if answer.env else self._state.env
        self._state.apply(Path(answer.cwd), env)
        self._known = self._state.version
        note = f"{late} bytes that an earlier command's processes printed after its end were dropped" if late else ""
        if answer.refusal is None:
            return self._outcome("exited", answer.status, note=note, stderr=answer.stderr)
        id, message = answer.refusal
        return self._outcome("refused", None, refusal=id, note=f"{id}: {message}", stderr=answer.stderr)

    async def _started(self) -> Coordinator:
        if self._engine is not None and self._engine.running:
            return self._engine
        await self._drop()
        argv = engine_argv(await self._interpreter.path())
        self._engine = await Coordinator.launch(argv, engine_environment(self._state.env), start_folder())
        return self._engine

    async def _drop(self) -> None:
        engine, self._engine = self._engine, None
        self._known = -1
        if engine is not None:
            await engine.close()

    def _abort(self) -> None:
        engine, self._engine = self._engine, None
        self._known = -1
        if engine is not None:
            engine.abort()

    def _outcome(
        self,
        cause: ShellCause,
        code: int | None,
        *,
        note: str = "",
        refusal: str | None = None,
        stderr: bytes = b"",
    ) -> ShellOutcome:
        return ShellOutcome(cause, code, self._state.cwd, TIER, refusal, note, stderr=stderr)

    def _reset_note(self, what: str) -> str:
        return f"{what}; the next command starts in {self._state.cwd} with the environment as it was before this one"
