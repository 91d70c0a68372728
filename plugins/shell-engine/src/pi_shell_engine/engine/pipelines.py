"""Pipelines on real pipes: programs are started directly, everything else runs in a thread."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Protocol

from pi_shell.nodes import BraceGroup, Redirect, Simple, Subshell

from pi_shell_engine.engine.expansion import needs_own_process
from pi_shell_engine.engine.shortcuts import is_bare, open_for_cat
from pi_shell_engine.engine.simple import Prepared
from pi_shell_engine.engine.spawning import Ended
from pi_shell_engine.engine.state import LoopControl, ShellExit, Streams
from pi_shell_engine.engine.threads import call_in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pi_shell.nodes import Command, Redirection

    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State


class Stage(Protocol):
    """A started stage."""

    def wait(self) -> int:
        """Its status, when it has ended. Raises what ended it when that is no status, such as a `Refusal`."""


class Program:
    """A stage that is a program; its redirections are closed behind it."""

    __slots__ = ("_child", "_prepared", "_report")

    def __init__(self, prepared: Prepared, report: int | None) -> None:
        self._prepared = prepared
        self._report = report
        self._child = prepared.start_program()

    def wait(self) -> int:
        """Its exit status."""
        try:
            return self._child.wait(self._report)
        finally:
            self._prepared.close()


def run_stages(run: Run, commands: Sequence[Command], state: State, io: Streams) -> int:
    """Runs the stages side by side, each in a subshell; the status is the last one's."""
    stages: list[Stage] = []
    source = io.stdin
    owned: list[int] = []
    for command in commands[:-1]:
        if _passes_through(run, command) and owned:
            continue
        opened = None if owned else open_for_cat(run, command, state)
        if opened is not None:
            source, owned = opened, [opened]
            continue
        following, target = os.pipe()
        stages.append(_start(run, command, _copy(state, command), Streams(source, target, io.stderr), [*owned, target]))
        source, owned = following, [following]
    last = Streams(source, io.stdout, io.stderr)
    stages.append(_start(run, commands[-1], _copy(state, commands[-1]), last, owned, here=True))
    return _wait_for(run, stages)


def _passes_through(run: Run, command: Command) -> bool:
    """Whether a stage is a `cat` that only hands on what it reads."""
    return (
        isinstance(command, Simple) and is_bare(command) and [run.constant(word) for word in command.words] == ["cat"]
    )


def _copy(state: State, command: Command) -> State:
    """The state of a stage; only groups forget the loops around the pipeline, as in bash."""
    copy = state.subshell()
    copy.loops = 0 if isinstance(command, Subshell | BraceGroup) else state.loops
    return copy


def _wait_for(run: Run, stages: Sequence[Stage]) -> int:
    status, failed = 0, None
    run.output.flush()
    for stage in stages:
        try:
            status = stage.wait()
        except BaseException as error:
            failed = failed or error
    if failed is not None:
        raise failed
    return status


def _start(run: Run, command: Command, state: State, io: Streams, owned: list[int], *, here: bool = False) -> Stage:
    """Starts one stage, which closes `owned` when it ends; with `here` it may run to its end before this returns."""
    prepared: Prepared | None = None
    try:
        if isinstance(command, Simple) and not _may_wait(run, command):
            prepared = Prepared(run, command, state, io)
            if prepared.is_program:
                program = Program(prepared, io.stderr if here else None)
                _close(owned)
                return program
            # What fits into an empty pipe is written at once, without a thread and without anybody reading.
            here = here or prepared.prints_little
        work = _work(run, command, prepared, state, io)
    except BaseException as error:
        if prepared is not None:
            prepared.close()
        stage = _ended(run, error, io)
        _close(owned)
        return stage
    return _launch(work, owned, here=here)


def _work(run: Run, command: Command, prepared: Prepared | None, state: State, io: Streams) -> Callable[[], int]:
    def simple() -> int:
        assert prepared is not None
        try:
            return run.contained(prepared.run_here, io)
        finally:
            prepared.close()

    def any_command() -> int:
        return run.command(command, state, io)

    return _in_subshell(any_command if prepared is None else simple)


def _in_subshell(work: Callable[[], int]) -> Callable[[], int]:
    """`work` with everything that ends a subshell made a status."""

    def guarded() -> int:
        try:
            return work()
        except ShellExit as ended:
            return ended.status
        except LoopControl as control:
            return control.status

    return guarded


def _ended(run: Run, error: BaseException, io: Streams) -> Ended:
    """The stage that ended with `error` before it ran: with a status if that is what the error means."""

    def again() -> int:
        raise error

    try:
        return Ended(_in_subshell(lambda: run.contained(again, io))())
    except BaseException as raised:
        return Ended(0, raised)


def _launch(work: Callable[[], int], owned: list[int], *, here: bool) -> Stage:
    def whole() -> int:
        try:
            return work()
        finally:
            _close(owned)

    if not here:
        return call_in_thread(whole)
    try:
        return Ended(whole())
    except BaseException as error:
        return Ended(0, error)


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
    descriptors.clear()


def _may_wait(run: Run, command: Simple) -> bool:
    """Whether expanding or redirecting `command` may run commands or wait for another stage (a FIFO)."""
    words = [*command.words, *(assignment.value for assignment in command.assignments)]
    return needs_own_process(words) or any(_may_block(run, redirect) for redirect in command.redirects)


def _may_block(run: Run, redirect: Redirection) -> bool:
    if not isinstance(redirect, Redirect):
        return False
    path = run.constant(redirect.target)
    if path is None:
        return True
    if path == "/dev/null":
        return False
    # The state's directory is not at hand, and a FIFO is rare enough to give every relative name its thread.
    try:
        return not path.startswith("/") or not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return True
