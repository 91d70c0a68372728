"""One persistent bash: commands one at a time, and a new shell whenever the old one is gone."""

import asyncio
from dataclasses import replace
from pathlib import Path

from pi_api.shell import OnOutput, ShellHost, ShellOutcome, ShellRequest
from pi_process import LaunchError, Process, Spawn, Stdin, StdinClosed, Stream, merge_environment, start

from pi_shell_posix.attachments import Attachments
from pi_shell_posix.framing import SETUP, ControlReader, Facts, OutputReader, enter, new_nonce, script

TIER = "posix"
QUIET = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "BASH_ENV": None, "ENV": None}
"""Nothing waits for a person or paints a screen; no start-up file runs."""


class BashSession:
    """A bash that lives as long as the agent session; see the module's package README for what it promises."""

    def __init__(self, bash: str, host: ShellHost) -> None:
        self._bash = bash
        self._env = merge_environment(dict(host.env), QUIET)
        self._cwd = host.cwd
        self._home = host.cwd
        self._state = b""
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    async def run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        async with self._turn:
            return await self._run(request, on_output)

    async def close(self) -> None:
        async with self._turn:
            await self._drop()

    async def _run(self, request: ShellRequest, on_output: OnOutput) -> ShellOutcome:
        if "\0" in request.command:
            return self._outcome("refused", None, note="a command cannot contain a NUL character; remove it")
        try:
            process = await self._shell()
        except LaunchError as error:
            return self._outcome("launch_failed", None, note=str(error))
        with Attachments(request) as attached:
            return await self._call(process, request, attached, on_output)

    async def _call(
        self, process: Process, request: ShellRequest, attached: Attachments, on_output: OnOutput
    ) -> ShellOutcome:
        call = _Call(process, on_output)
        try:
            async with asyncio.timeout(request.timeout):
                await call.run(request.command, attached)
        except TimeoutError:
            await self._drop()
            await call.flush()
            return self._outcome("timeout", None, note=self._reset_note("everything the shell had started was killed"))
        except asyncio.CancelledError:
            process.abort()
            self._process = None
            raise
        return replace(await self._ended(call), stderr=attached.errors())

    async def _ended(self, call: "_Call") -> ShellOutcome:
        """The outcome of a command that ended by itself; if it ended the shell, what the next one starts with."""
        facts = call.facts
        if facts is not None and facts.directory:
            self._cwd = Path(facts.directory)
        if facts is not None and not (call.shell_ended or facts.ending):
            return self._outcome("exited", facts.status)
        code = await call.process.wait()
        await self._drop()
        self._state = call.state or b""
        if facts is not None:
            # A signal that ended the shell is in its exit status; its trap knows nothing of it.
            return self._outcome("exited", facts.status if code is None else code)
        return self._outcome("exited" if code is not None else "died", code, note=self._reset_note("the shell ended"))

    async def _shell(self) -> Process:
        if self._process is not None and self._process.running:
            return self._process
        await self._drop()
        if not self._cwd.is_dir():
            self._cwd = self._home
        argv = (self._bash, "--noprofile", "--norc")
        spawn = Spawn(argv, cwd=self._cwd, env=self._env, stdin=Stdin.PIPE, merge_stderr=False)
        self._process = await start(spawn)
        await self._process.write(SETUP.encode() + self._state + enter(self._cwd))
        self._state = b""
        return self._process

    async def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.close()

    def _outcome(self, cause: str, code: int | None, note: str = "") -> ShellOutcome:
        return ShellOutcome(cause, code, self._cwd, TIER, note=note)  # type: ignore[arg-type]

    def _reset_note(self, what: str) -> str:
        return (
            f"{what}; the next command gets a new shell in {self._cwd}, without the variables and functions of this one"
        )


class _Call:
    """One command on its way through the shell."""

    def __init__(self, process: Process, on_output: OnOutput) -> None:
        self.process = process
        self.shell_ended = False
        self._on_output = on_output
        nonce = new_nonce()
        self._nonce = nonce
        self._control = ControlReader(nonce)
        self._output = OutputReader(nonce)

    @property
    def facts(self) -> Facts | None:
        return self._control.facts

    @property
    def state(self) -> bytes | None:
        return self._control.state

    async def run(self, command: str, attached: Attachments) -> None:
        """Until output and facts have both ended, or the shell has."""
        text = script(command, self._nonce, stdin=attached.stdin, stderr=attached.stderr)
        writing = asyncio.ensure_future(self._write(text.encode("utf-8", "surrogateescape")))
        try:
            while not (self._output.ended and self._control.complete):
                chunk = await self.process.read()
                if chunk is None:
                    self.shell_ended = True
                    break
                if chunk.stream is Stream.STDERR:
                    self._control.feed(chunk.data)
                elif output := self._output.feed(chunk.data):
                    await self._on_output(output)
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
        await self.flush()

    async def flush(self) -> None:
        """Hand over what was held back as a possible end."""
        if not self._output.ended and (rest := self._output.rest()):
            await self._on_output(rest)

    async def _write(self, text: bytes) -> None:
        try:
            await self.process.write(text)
        except StdinClosed:
            return
