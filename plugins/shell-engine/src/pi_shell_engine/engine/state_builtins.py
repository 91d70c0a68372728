"""Builtins that change or show the shell's own state, and so are no plain functions of their input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pi_shell_engine.engine.control import break_loop, continue_loop, exit_shell
from pi_shell_engine.engine.declarations import check_export, check_unset, export, unset
from pi_shell_engine.engine.directories import cd, check_cd

if TYPE_CHECKING:
    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams

StateBuiltin: TypeAlias = "Callable[[Run, Sequence[str], State, Variables, Streams], int]"
STATE_BUILTINS: dict[str, StateBuiltin] = {
    "cd": cd,
    "export": export,
    "unset": unset,
    "exit": exit_shell,
    "break": break_loop,
    "continue": continue_loop,
}
CHECKS: dict[str, Callable[[Sequence[str | None]], None]] = {
    "cd": check_cd,
    "export": check_export,
    "unset": check_unset,
}
"""Raise the refusals that can be told before a command runs; `None` is a word that is not known yet."""
