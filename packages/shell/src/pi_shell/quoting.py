"""Writes text so that a shell or a program reads it back unchanged."""

from __future__ import annotations

import re

BASH_SAFE = re.compile(r"[A-Za-z0-9_@%+:,./-]+")
BASH_RESERVED = frozenset(
    "if then elif else fi for in do done while until case esac select function time coproc".split()  # noqa: SIM905
)
POWERSHELL_QUOTES = re.compile("['\u2018\u2019\u201a\u201b]")
BATCH_UNQUOTABLE = re.compile(r"[\0\r\n%]")
BATCH_SAFE = re.compile(r"[A-Za-z0-9_@+:./\\-]+")
BACKSLASHES = re.compile(r'(\\*)("|\Z)')


class UnquotableError(ValueError):
    """Text that the target cannot be given by any spelling; the message says which character stands in the way."""


def quote_bash(text: str) -> str:
    """`text` as one bash word. Lone surrogates (bytes that are not UTF-8) are written as `$'\\xff'`.

    Raises `UnquotableError` for a NUL.
    """
    if "\0" in text:
        raise UnquotableError("a shell word cannot contain a NUL character: remove it")
    if BASH_SAFE.fullmatch(text) and text not in BASH_RESERVED:
        return text
    return "".join(_bash_part(part) for part in re.split("([\udc80-\udcff]+)", text) if part) or "''"


def _bash_part(part: str) -> str:
    if "\udc80" <= part[0] <= "\udcff":
        return "$'" + "".join(f"\\x{ord(char) - 0xDC00:02x}" for char in part) + "'"
    return "'" + part.replace("'", "'\\''") + "'"


def quote_powershell(text: str) -> str:
    """`text` as a PowerShell single-quoted literal; all five characters that PowerShell takes for a quote are doubled.

    Raises `UnquotableError` for a NUL.
    """
    if "\0" in text:
        raise UnquotableError("a PowerShell command cannot contain a NUL character: remove it")
    return "'" + POWERSHELL_QUOTES.sub(lambda match: match[0] * 2, text) + "'"


def quote_windows_argument(text: str) -> str:
    """`text` as one argument of a Windows command line, as the Microsoft C runtime splits it.

    Raises `UnquotableError` for a NUL.
    """
    if "\0" in text:
        raise UnquotableError("a Windows argument cannot contain a NUL character: remove it")
    if text and not re.search(r'[\s"]', text):
        return text
    return '"' + BACKSLASHES.sub(lambda match: match[1] * 2 + ('\\"' if match[2] else ""), text) + '"'


def windows_command_line(argv: list[str] | tuple[str, ...]) -> str:
    """The command line from which a Windows program gets `argv`. Raises `UnquotableError`."""
    return " ".join(quote_windows_argument(argument) for argument in argv)


def quote_batch_argument(text: str) -> str:
    """`text` as one argument of a `.cmd` or `.bat` file started through `cmd.exe /e:on /v:off /c`.

    Everything but plain names is quoted, quotes are doubled and so are the backslashes before them. The batch file sees
    the text quoted; the program behind it gets `text` from the Microsoft C runtime. Raises `UnquotableError` for what
    cmd.exe cannot carry: NUL, line ends, and percent signs, which name variables even in quotes and have no escape.
    """
    unquotable = BATCH_UNQUOTABLE.search(text)
    if unquotable is not None:
        name = {"\0": "a NUL", "\r": "a carriage return", "\n": "a line end", "%": "a percent sign"}[unquotable[0]]
        raise UnquotableError(f"an argument of a batch file cannot contain {name}: call the program behind it directly")
    if BATCH_SAFE.fullmatch(text) and not text.endswith("\\"):
        return text
    return '"' + BACKSLASHES.sub(lambda match: match[1] * 2 + match[2] * 2, text) + '"'


def batch_command_line(script: str, arguments: list[str] | tuple[str, ...]) -> str:
    """What follows `cmd.exe /d /e:on /v:off /s /c ` to run the batch file `script`. Raises `UnquotableError`."""
    if not script or BATCH_UNQUOTABLE.search(script) or '"' in script or script.endswith("\\"):
        raise UnquotableError(f"{script!r} cannot be given to cmd.exe: rename the batch file")
    words = [quote_batch_argument(argument) for argument in arguments]
    return '"' + " ".join([f'"{script}"', *words]) + '"'
