"""Both kinds of `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell.arithmetic import ArithmeticFault, evaluate, parse_arithmetic

from pi_shell_engine.engine.counting import prepared
from pi_shell_engine.engine.expansion import expand_text, expand_words
from pi_shell_engine.engine.lists import run_list
from pi_shell_engine.engine.redirects import redirected
from pi_shell_engine.engine.state import LoopControl

if TYPE_CHECKING:
    from collections.abc import Callable

    from pi_shell.nodes import Clause, ForArith, ForWords, List

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams


def run_for_words(run: Run, node: ForWords, state: State, io: Streams) -> int:
    """`for name in words`: the words expand once, before the first round."""
    with redirected(run, node.redirects, state, io) as streams:
        words = expand_words(run, node.words, state, streams)
        loop = _Loop(run, node.body, state, streams)
        for word in words:
            state.variables[node.name] = word
            if not loop.round():
                break
        return loop.status


def run_for_arith(run: Run, node: ForArith, state: State, io: Streams) -> int:
    """`for ((init; condition; update))`; a fault in a clause ends the loop with status 1."""
    with redirected(run, node.redirects, state, io) as streams:
        loop = _Loop(run, node.body, state, streams)
        try:
            init, condition, update = (
                _ready(run, clause, state, streams) for clause in (node.init, node.condition, node.update)
            )
            init(state.variables)
            while node.condition is None or condition(state.variables):
                if not loop.round():
                    break
                update(state.variables)
        except ArithmeticFault as fault:
            run.warn(str(fault), streams.stderr)
            return 1
        return loop.status


def _ready(run: Run, clause: Clause | None, state: State, io: Streams) -> Callable[[Variables], int]:
    """A clause as a function; one with expansions in it is expanded anew each time."""
    if clause is None:
        return lambda variables: 0
    if clause.expression is not None:
        return prepared(clause.expression)
    text = clause.text
    return lambda variables: evaluate(parse_arithmetic(expand_text(run, text, state, io)), variables)


class _Loop:
    """Runs the body of a loop round by round."""

    __slots__ = ("_body", "_io", "_run", "_state", "status")

    def __init__(self, run: Run, body: List, state: State, io: Streams) -> None:
        self._run = run
        self._body = body
        self._state = state
        self._io = io
        self.status = 0

    def round(self) -> bool:
        """Runs the body once; false when the loop is left."""
        state = self._state
        self._run.output.flush_if_old()
        state.loops += 1
        try:
            self.status = run_list(self._run, self._body, state, self._io)
        except LoopControl as control:
            self.status = state.status = control.status
            if control.levels > 1 and state.loops > 1:
                raise LoopControl(control.levels - 1, again=control.again, status=control.status) from None
            return control.again
        finally:
            state.loops -= 1
        return True
