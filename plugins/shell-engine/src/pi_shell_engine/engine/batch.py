"""Command lines of Windows: programs are quoted for the C runtime, batch files for cmd.exe."""

from __future__ import annotations

import ntpath
from typing import TYPE_CHECKING

from pi_shell.quoting import batch_command_line, windows_command_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def is_batch(program: str) -> bool:
    """Whether cmd.exe has to run this file."""
    return ntpath.splitext(program)[1].lower() in (".bat", ".cmd")


def command_interpreter(variables: Mapping[str, str]) -> str:
    """The cmd.exe of this system; not what `ComSpec` may have been set to."""
    root = variables.get("SystemRoot") or r"C:\Windows"
    return ntpath.join(root, "System32", "cmd.exe")


def command_line(program: str, arguments: Sequence[str], interpreter: str) -> str:
    """What to start `program` with. Raises `UnquotableError` (a `ValueError`) for what no spelling can pass."""
    if is_batch(program):
        script = ntpath.normpath(program)
        return f'"{interpreter}" /d /e:on /v:off /s /c {batch_command_line(script, list(arguments))}'
    return windows_command_line([program, *arguments])
