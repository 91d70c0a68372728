"""Refusals that can be told before a command line runs: the forms of builtins, as far as their words are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell import Refusal, constant
from pi_shell.queries import simple_commands

from pi_shell_engine.builtins.interface import BuiltinError
from pi_shell_engine.engine.state_builtins import CHECKS, STATE_BUILTINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell.nodes import List

    from pi_shell_engine.builtins.interface import Registry


def judge(tree: List, registry: Registry) -> None:
    """Raises the refusal of the first command in `tree` that deserves one."""
    for place in simple_commands(tree):
        name = place.name
        if name is None:
            continue
        try:
            _judge(name, [constant(word) for word in place.command.words], registry)
        except Refusal as refusal:
            raise refusal.at(place.command.span) from None
        except BuiltinError:
            # Wrong but not refused: the command itself says so when it runs.
            continue


def _judge(name: str, words: Sequence[str | None], registry: Registry) -> None:
    if name in STATE_BUILTINS:
        if name in CHECKS:
            CHECKS[name](words)
    elif name in registry:
        registry[name].judge(words)
