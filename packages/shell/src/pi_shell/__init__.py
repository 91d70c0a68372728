"""The shell contract as a parser: one tree for routing, policy, projection and execution."""

from pi_shell.arithmetic import ArithmeticFault, evaluate, parse_arithmetic
from pi_shell.command_words import is_shell, program_name, refuse_command
from pi_shell.constants import constant, has_glob
from pi_shell.core_forms import CORE
from pi_shell.dump import as_json, dump
from pi_shell.grammar import Grammar
from pi_shell.parser import parse
from pi_shell.queries import Place, children, simple_command, simple_commands
from pi_shell.quoting import (
    UnquotableError,
    batch_command_line,
    quote_bash,
    quote_batch_argument,
    quote_powershell,
    quote_windows_argument,
    windows_command_line,
)
from pi_shell.refusals import Refusal, catalogue, refuse
from pi_shell.simple_commands import split_assignment

__all__ = [
    "CORE",
    "ArithmeticFault",
    "Grammar",
    "Place",
    "Refusal",
    "UnquotableError",
    "as_json",
    "batch_command_line",
    "catalogue",
    "children",
    "constant",
    "dump",
    "evaluate",
    "has_glob",
    "is_shell",
    "parse",
    "parse_arithmetic",
    "program_name",
    "quote_bash",
    "quote_batch_argument",
    "quote_powershell",
    "quote_windows_argument",
    "refuse",
    "refuse_command",
    "simple_command",
    "simple_commands",
    "split_assignment",
    "windows_command_line",
]
