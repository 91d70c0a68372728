"""Announces the one divergence of variables: every assignment is exported, so programs see what bash would keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell import program_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams

LISTERS = frozenset({"env", "printenv"})
READS_ENVIRONMENT = re.compile(r"environ|getenv|process\.env|\bENV\b")
ALWAYS_EXPORTED = frozenset({"PWD", "OLDPWD"})


def announce(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> None:
    """A hint, when the program that is about to start shows or names a variable that was only assigned.

    `variables` are the program's, with the assignments before its name, which bash hands on as well.
    """
    names = state.variables.keys() - run.exported
    if not names:
        return
    if program_name(argv[0]) in LISTERS:
        seen = sorted(names) if len(argv) == 1 else [name for name in argv[1:] if name in names]
    else:
        code = " ".join(word for word in argv[1:] if READS_ENVIRONMENT.search(word))
        seen = sorted(names.intersection(re.findall(r"\w+", code))) if code else []
    seen = [name for name in seen if variables.get(name) == state.variables.get(name)]
    if seen:
        run.hint_on("assignment-exported", io.stderr, name=seen[0], command=argv[0])
