"""One string out of many arguments, so that the started program reads the same arguments back: runs on any system."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from pi_process.errors import CommandLineTooLong, UnsafeBatchCommand

PROGRAM_LIMIT = 32_767
"""UTF-16 units of a command line including its final NUL (CreateProcess)."""
BATCH_LIMIT = 8_191
"""The same for a line cmd.exe reads."""

_PLAIN_FOR_CMD = re.compile(r"[A-Za-z0-9#$*+\-./:?@\\_]+")
_REFUSED = {"%": "a percent sign", "\n": "a line break", "\r": "a line break", "\0": "a NUL"}


def program_line(argv: Sequence[str]) -> str:
    """The command line of a program that splits it by the rules of Microsoft's C runtime, as almost all do."""
    return _limited(subprocess.list2cmdline(argv), PROGRAM_LIMIT, argv[0])


def batch_line(cmd: str, argv: Sequence[str], directory: str) -> str:
    """The command line with which `cmd` (the full path of cmd.exe) runs the batch file `argv[0]` with its arguments.

    cmd.exe reads its line as commands, so everything that is not plain is put in quotes, and a quote is doubled. What
    no quoting can hold is refused: a line break, which ends a command, and a percent sign, which begins a variable's
    name here and again wherever the batch file calls another. So is a network folder as `directory`, for which cmd.exe
    silently takes one of its own.
    """
    script = argv[0]
    if directory.startswith(("\\\\", "//")):
        reason = f"cmd.exe cannot work in the network folder {directory}"
        raise UnsafeBatchCommand(script, reason, "work in a folder that has a drive letter")
    for character, name in _REFUSED.items():
        if any(character in argument for argument in argv):
            raise UnsafeBatchCommand(script, f"cmd.exe cannot pass {name} on unchanged")
    words = " ".join(_quoted_for_cmd(word) for word in argv)
    return _limited(f'"{cmd}" /e:ON /v:OFF /d /s /c "{words}"', BATCH_LIMIT, script)


def _quoted_for_cmd(argument: str) -> str:
    if _PLAIN_FOR_CMD.fullmatch(argument) and not argument.endswith("\\"):
        return argument
    # The batch file hands the text on to a program, for which backslashes before a quote count double.
    escaped = re.sub(r'(\\*)(?:"|$)', lambda match: match[1] * 2 + match[0][len(match[1]) :] * 2, argument)
    return f'"{escaped}"'


def _limited(line: str, limit: int, program: str) -> str:
    units = len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1
    if units > limit:
        raise CommandLineTooLong(program, f"the command line has {units} units of {limit} allowed")
    return line
