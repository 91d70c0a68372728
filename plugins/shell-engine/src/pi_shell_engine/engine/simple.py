"""Simple commands: expand, redirect, assign, and run a builtin or a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell import refuse_command

from pi_shell_engine.builtins.interface import BuiltinError, BuiltinIO, reason
from pi_shell_engine.engine.declarations import DECLARATIONS, expand_declaration
from pi_shell_engine.engine.expansion import expand_text, expand_words
from pi_shell_engine.engine.exports import announce
from pi_shell_engine.engine.programs import resolve
from pi_shell_engine.engine.redirects import Opened
from pi_shell_engine.engine.spawning import Ended, spawn
from pi_shell_engine.engine.state import CommandError, ShellExit
from pi_shell_engine.engine.state_builtins import STATE_BUILTINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell.nodes import Simple

    from pi_shell_engine.builtins.interface import Entry
    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.spawning import Child
    from pi_shell_engine.engine.state import State, Streams

BROKEN_PIPE = 141
TERSE = frozenset({"echo", "true", "false", "test", "[", "pwd"})
"""Builtins that read nothing and print at most their arguments, or one directory."""
LITTLE = 1000
"""Characters of arguments; no character becomes more than four bytes."""


def run_simple(run: Run, node: Simple, state: State, io: Streams) -> int:
    """Runs one simple command in this shell."""
    if not node.redirects and not node.assignments:
        state.substituted = None
        argv = arguments(run, node, state, io)
        return run_argv(run, argv, state, state.variables, io) if argv else state.substituted or 0
    prepared = Prepared(run, node, state, io)
    try:
        return prepared.run_here()
    finally:
        prepared.close()


class Prepared:
    """A simple command with its words expanded and its redirections open; `close` is needed at its end.

    Raises what expanding and redirecting raise, with nothing left open.
    """

    __slots__ = ("_argv", "_opened", "_run", "_state", "_stderr", "_variables")

    def __init__(self, run: Run, node: Simple, state: State, io: Streams) -> None:
        state.substituted = None
        self._run = run
        self._state = state
        self._stderr = io.stderr
        self._argv = arguments(run, node, state, io)
        self._opened = Opened(io)
        try:
            if self._argv:
                self._opened.apply(run, node.redirects, state)
                self._variables = self._assigned(node, state.subshell() if node.assignments else state)
            else:
                # Without a command the assignments stay, and they come first.
                self._variables = self._assigned(node, state)
                self._opened.apply(run, node.redirects, state)
        except BaseException:
            self.close()
            raise

    def _assigned(self, node: Simple, scope: State) -> Variables:
        """The variables the command sees: those of `scope`, with its own assignments made there."""
        for assignment in node.assignments:
            value = expand_text(self._run, assignment.value, scope, self._opened.streams)
            scope.variables[assignment.name] = value
        return scope.variables

    @property
    def is_program(self) -> bool:
        """Whether it runs outside this process."""
        return bool(self._argv) and self._argv[0] not in STATE_BUILTINS and self._argv[0] not in self._run.registry

    @property
    def prints_little(self) -> bool:
        """Whether it reads nothing and prints no more than fits into any empty pipe."""
        return not self._argv or (self._argv[0] in TERSE and sum(map(len, self._argv)) < LITTLE)

    def start_program(self) -> Child:
        """Starts the program; one that cannot run has ended at once. Raises a `Refusal`."""
        streams = self._opened.streams
        try:
            return start_program(self._run, self._argv, self._state, self._variables, streams)
        except CommandError as error:
            return Ended(self._told(error))

    def run_here(self) -> int:
        """Runs the command to its end; without words its status is that of the last command substitution."""
        if not self._argv:
            return self._state.substituted or 0
        try:
            if self.is_program:
                return self.start_program().wait(self._stderr)
            return run_argv(self._run, self._argv, self._state, self._variables, self._opened.streams)
        except CommandError as error:
            return self._told(error)

    def _told(self, error: CommandError) -> int:
        """Tells an error where the command's own redirections send it, and gives its status."""
        self._run.warn(error.text, self._opened.streams.stderr)
        return error.status

    def close(self) -> None:
        """Closes the redirections."""
        self._opened.close()


def arguments(run: Run, node: Simple, state: State, io: Streams) -> list[str]:
    """The words of a command, expanded once."""
    words = node.words
    if words and run.constant(words[0]) in DECLARATIONS:
        return expand_declaration(run, words, state, io)
    return expand_words(run, words, state, io)


def run_argv(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """Runs expanded words: a builtin of the state, a builtin, or a program."""
    name = argv[0]
    state_builtin = STATE_BUILTINS.get(name)
    if state_builtin is not None:
        return state_builtin(run, argv, state, variables, io)
    entry = run.registry.get(name)
    if entry is not None:
        return call(run, entry, argv, state.cwd, variables, io)
    return start_program(run, argv, state, variables, io).wait(io.stderr)


def start_program(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> Child:
    """Starts the program that `argv` names. Raises a `Refusal`, or a `CommandError` with the status 126 or 127."""
    refusal = refuse_command(argv)
    if refusal is not None:
        raise refusal
    program = resolve(argv[0], variables, state.cwd, run.paths)
    announce(run, argv, state, variables, io)
    run.output.flush()
    return spawn(run, program, argv, state.cwd, variables, io)


def call(run: Run, entry: Entry, argv: Sequence[str], cwd: str, variables: Variables, io: Streams) -> int:
    """Calls a builtin; whatever ends it early is told and becomes its status."""
    if not entry.special:
        run.output.flush()
    shell_io = BuiltinIO(tuple(argv), cwd, variables, io.stdin, io.stdout, io.stderr, run.paths, run, entry)
    try:
        return entry.load()(shell_io)
    except BrokenPipeError:
        if entry.special:
            raise ShellExit(BROKEN_PIPE) from None
        return BROKEN_PIPE
    except BuiltinError as error:
        shell_io.error(error.text)
        return error.status
    except OSError as error:
        shell_io.error(f"{error.filename}: {reason(error)}" if error.filename else reason(error))
        return 1
    except MemoryError:
        shell_io.error("memory exhausted")
        return 2
