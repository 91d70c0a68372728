"""The shell contract as a parser: one tree for routing, policy, projection and execution.

What every user needs is here; `.queries`, `.dump`, `.arithmetic` and `.quoting` are imported where they are used.
"""

from pi_shell.command_words import is_shell, program_name, refuse_command
from pi_shell.constants import constant, has_glob
from pi_shell.core_forms import CORE
from pi_shell.grammar import Grammar
from pi_shell.parser import parse
from pi_shell.refusals import Refusal, catalogue, refuse
from pi_shell.simple_commands import split_assignment

__all__ = [
    "CORE",
    "Grammar",
    "Refusal",
    "catalogue",
    "constant",
    "has_glob",
    "is_shell",
    "parse",
    "program_name",
    "refuse",
    "refuse_command",
    "split_assignment",
]
