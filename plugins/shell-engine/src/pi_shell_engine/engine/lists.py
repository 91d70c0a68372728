"""Lists, `&&` and `||`, negation, groups and subshells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.nodes import Compound

from pi_shell_engine.engine.redirects import RedirectError, redirected
from pi_shell_engine.engine.state import LoopControl, ShellExit

if TYPE_CHECKING:
    from pi_shell.nodes import AndOr, BraceGroup, List, Pipeline, Subshell

    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams


def run_list(run: Run, body: List, state: State, io: Streams) -> int:
    """Runs the commands of a list in this shell; the status is the last one's, 0 for an empty list."""
    status = 0
    for item in body.items:
        status = run_and_or(run, item, state, io)
    return status


def run_and_or(run: Run, item: AndOr, state: State, io: Streams) -> int:
    """Runs pipelines joined by `&&` and `||`."""
    status = run_pipeline(run, item.pipelines[0], state, io)
    for operator, pipeline in zip(item.operators, item.pipelines[1:], strict=True):
        if (status == 0) == (operator == "&&"):
            status = run_pipeline(run, pipeline, state, io)
    return status


def run_pipeline(run: Run, pipeline: Pipeline, state: State, io: Streams) -> int:
    """Runs one pipeline and keeps its status for `$?`."""
    if len(pipeline.commands) == 1:
        command = pipeline.commands[0]
        if pipeline.negated and command.redirects and isinstance(command, Compound):
            status = _negated_compound(run, command, state, io)
            state.status = status
            return status
        try:
            status = run.command(command, state, io)
        except LoopControl as control:
            if pipeline.negated:
                control.status = int(control.status == 0)
            raise
    else:
        from pi_shell_engine.engine.pipelines import run_stages

        status = run_stages(run, pipeline.commands, state, io)
    if pipeline.negated:
        status = int(status == 0)
    state.status = status
    return status


def _negated_compound(run: Run, command: Compound, state: State, io: Streams) -> int:
    """`! { …; } > f`: where the redirection fails the status is 1 and not its opposite, as in bash."""
    failed = False

    def work() -> int:
        nonlocal failed
        try:
            return run.command_here(command, state, io)
        except RedirectError:
            failed = True
            raise

    status = run.contained(work, io)
    return status if failed else int(status == 0)


def run_subshell(run: Run, body: List, state: State, io: Streams) -> int:
    """Runs a list in a state of its own, in which `exit` ends just the list."""
    try:
        return run_list(run, body, state, io)
    except ShellExit as ended:
        return ended.status
    except LoopControl as control:
        return control.status


def run_subshell_node(run: Run, node: Subshell, state: State, io: Streams) -> int:
    """`( … )`."""
    with redirected(run, node.redirects, state, io) as streams:
        return run_subshell(run, node.body, state.subshell(), streams)


def run_brace_group(run: Run, node: BraceGroup, state: State, io: Streams) -> int:
    """`{ …; }`."""
    with redirected(run, node.redirects, state, io) as streams:
        return run_list(run, node.body, state, streams)
