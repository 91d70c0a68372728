"""Which commands may end with status 1 because they found nothing, and not because something failed."""

from __future__ import annotations

from pi_shell import constant, program_name
from pi_shell.nodes import Command, List, Simple

MATCHERS = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
"""Programs whose status 1 says that nothing matched."""


def may_find_nothing(tree: List) -> bool:
    """Whether status 1 of this command says that a search found nothing.

    The status must be that of a search: the last command of the list, not negated, and not behind a condition. A `cd`
    before it is none; when that fails it says so.
    """
    if not tree.items:
        return False
    last = tree.items[-1]
    *before, pipeline = last.pipelines
    if pipeline.negated or "||" in last.operators:
        return False
    names = [_name(earlier.commands[0]) if len(earlier.commands) == 1 else None for earlier in before]
    name = _name(pipeline.commands[-1])
    return all(earlier == "cd" for earlier in names) and name is not None and program_name(name) in MATCHERS


def _name(command: Command) -> str | None:
    return constant(command.words[0]) if isinstance(command, Simple) and command.words else None
