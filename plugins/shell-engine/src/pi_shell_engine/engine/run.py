"""One request on its way: what all its commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pi_shell.nodes import BraceGroup, ForArith, ForWords, Simple, Subshell

from pi_shell_engine.builtins.interface import encode
from pi_shell_engine.engine.exports import ALWAYS_EXPORTED
from pi_shell_engine.engine.plans import Need, Plan, plan
from pi_shell_engine.engine.redirects import RedirectError
from pi_shell_engine.engine.state import CommandError, Streams
from pi_shell_engine.hints import hint_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pi_shell.nodes import Command, Word

    from pi_shell_engine.builtins.interface import BuiltinIO, Entry, Registry
    from pi_shell_engine.engine.output import Output
    from pi_shell_engine.engine.state import State
    from pi_shell_engine.paths import PathRules


class Run:
    """A request's commands: it dispatches them, remembers what words stand for, and serves builtins as their shell.

    `null` is a descriptor of the null device, `output` the session's own output; `powershell` is the PowerShell that
    runs `.ps1` files, if any. `exported` are the variables that bash would hand on to programs too.
    """

    def __init__(
        self, registry: Registry, paths: PathRules, *, null: int, output: Output, powershell: str | None = None
    ) -> None:
        self.registry = registry
        self.paths = paths
        self.null = null
        self.output = output
        self.exported = set(ALWAYS_EXPORTED)
        self.powershell = powershell
        self._plans: dict[int, Plan] = {}
        self._hinted: set[tuple[str, str]] = set()

    def command(self, command: Command, state: State, io: Streams) -> int:
        """Runs any command in this shell and returns its status; its own errors are told and are a status too."""
        try:
            return RUNNERS[type(command)](self, command, state, io)
        except CommandError as error:
            return self._told(error, io)

    def command_here(self, command: Command, state: State, io: Streams) -> int:
        """As `command`, but what keeps the command itself from running is raised (`CommandError`)."""
        return RUNNERS[type(command)](self, command, state, io)

    def contained(self, work: Callable[[], int], io: Streams) -> int:
        """The status of `work`; what keeps its command from running is told and becomes a status."""
        try:
            return work()
        except CommandError as error:
            return self._told(error, io)

    def _told(self, error: CommandError, io: Streams) -> int:
        self.warn(error.text, error.stderr if isinstance(error, RedirectError) else io.stderr)
        return error.status

    def constant(self, word: Word) -> str | None:
        """The text that `word` always stands for, if there is one."""
        need, text = self.plan(word)
        return text if need is Need.NOTHING else None

    def plan(self, word: Word) -> Plan:
        """What expanding `word` takes; each word of the tree is looked at once."""
        known = self._plans.get(id(word))
        if known is None:
            known = self._plans[id(word)] = plan(word)
        return known

    def warn(self, line: str, stderr: int) -> None:
        """A line on a standard error; lost when that cannot be written."""
        try:
            self.output.write(stderr, encode(line) + b"\n")
        except OSError:
            return

    def write(self, descriptor: int, data: bytes | bytearray | memoryview) -> None:
        self.output.write(descriptor, data)

    def hint_on(self, key: str, stderr: int, **fields: str) -> None:
        """One hint on a standard error, once a request."""
        text = hint_text(key, fields)
        if (key, text) not in self._hinted:
            self._hinted.add((key, text))
            self.warn(text, stderr)

    # What builtins ask for (`pi_shell_engine.builtins.interface.Shell`).

    def run(self, argv: Sequence[str], io: BuiltinIO) -> int:
        from pi_shell_engine.engine.environment import variables
        from pi_shell_engine.engine.simple import run_argv
        from pi_shell_engine.engine.state import ShellExit, State

        state = State(io.cwd, variables(io.env, windows=self.paths.windows))
        try:
            return run_argv(self, argv, state, state.variables, Streams(self.null, io.stdout, io.stderr))
        except ShellExit as ended:
            return ended.status
        except CommandError as error:
            self.warn(error.text, io.stderr)
            return error.status

    def programs(self, name: str, io: BuiltinIO) -> Sequence[str]:
        from pi_shell_engine.engine.programs import candidates

        return [path for path, runnable in candidates(name, io.env, io.cwd, self.paths) if runnable]

    def is_builtin(self, name: str) -> bool:
        from pi_shell_engine.engine.state_builtins import STATE_BUILTINS

        return name in self.registry or name in STATE_BUILTINS

    def hint(self, key: str, io: BuiltinIO, **fields: str) -> None:
        self.hint_on(key, io.stderr, **fields)

    def entry(self, name: str) -> Entry | None:
        """The builtin of this name."""
        return self.registry.get(name)


def runners() -> Mapping[type, Callable[[Run, Any, State, Streams], int]]:
    """How each form of command is run; an extension adds its own forms to `RUNNERS`."""
    from pi_shell_engine.engine import lists, loops, simple

    return {
        Simple: simple.run_simple,
        Subshell: lists.run_subshell_node,
        BraceGroup: lists.run_brace_group,
        ForWords: loops.run_for_words,
        ForArith: loops.run_for_arith,
    }


RUNNERS: dict[type, Callable[[Run, Any, State, Streams], int]] = {}
