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
        if not item.operators:
            status = run_pipeline(run, item.pipelines[0], state, io)
        else:
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
    if pipeline.negated:
        status = _negated(run, pipeline, state, io)
    elif len(pipeline.commands) == 1:
        status = run.command(pipeline.commands[0], state, io)
    else:
        status = _stages(run, pipeline, state, io)
    state.status = status
    return status


def _stages(run: Run, pipeline: Pipeline, state: State, io: Streams) -> int:
    from pi_shell_engine.engine.pipelines import run_stages

    return run_stages(run, pipeline.commands, state, io)


def _negated(run: Run, pipeline: Pipeline, state: State, io: Streams) -> int:
    if len(pipeline.commands) > 1:
        return int(_stages(run, pipeline, state, io) == 0)
    command = pipeline.commands[0]
    if command.redirects and isinstance(command, Compound):
        return _negated_compound(run, command, state, io)
    try:
        return int(run.command(command, state, io) == 0)
    except LoopControl as control:
        control.status = int(control.status == 0)
        raise


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
