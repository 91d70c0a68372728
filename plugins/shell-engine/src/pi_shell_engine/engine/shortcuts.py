"""Pipeline stages that need not run, because their effect can be had without them."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_shell.nodes import Command, Simple

    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State

BINARY = getattr(os, "O_BINARY", 0)


def is_bare(command: Simple) -> bool:
    """Whether a command has words and nothing else."""
    return not command.redirects and not command.assignments


def open_for_cat(run: Run, command: Command, state: State) -> int | None:
    """For a first stage that is `cat FILE`: the open file, which the next stage may read itself.

    `None` when it is something else, or when the file is not a plain one: then `cat` has to run and say so.
    """
    from pi_shell.nodes import Simple

    if not isinstance(command, Simple) or len(command.words) != 2 or not is_bare(command):
        return None
    name, file = (run.constant(word) for word in command.words)
    if name != "cat" or not file or file.startswith("-") or "cat" not in run.registry:
        return None
    path = run.paths.join(state.cwd, file)
    try:
        return os.open(path, os.O_RDONLY | BINARY) if stat.S_ISREG(os.stat(path).st_mode) else None
    except (OSError, ValueError):
        return None
