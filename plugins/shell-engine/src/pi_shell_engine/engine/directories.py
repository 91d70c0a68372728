"""`cd`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pi_shell import refuse

from pi_shell_engine.builtins.interface import encode, reason
from pi_shell_engine.engine.environment import home
from pi_shell_engine.engine.state import CommandError, ShellExit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams


def cd(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`cd [DIR|-]`."""
    check_cd(argv)
    operands = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if len(operands) > 1:
        raise CommandError("cd: too many arguments")
    printed = False
    if not operands:
        target = home(variables, windows=True) if run.paths.windows else variables.get("HOME")
        if target is None:
            raise CommandError("cd: HOME not set")
    elif operands[0] == "-":
        target, printed = variables.get("OLDPWD", ""), True
        if "OLDPWD" not in variables:
            raise CommandError("cd: OLDPWD not set")
    else:
        target = operands[0]
    if not target:
        return 0
    found, by_cdpath = _find_directory(run, target, state, variables)
    _enter(run, target, found, state)
    if printed or by_cdpath:
        print_text(run, io, run.paths.slashed(state.cwd), "cd")
    return 0


def check_cd(words: Sequence[str | None]) -> None:
    """Raises the refusal that `cd` with these words deserves."""
    first = words[1] if len(words) > 1 else None
    if first is not None and first.startswith("-") and first not in ("-", "--"):
        raise refuse("unsupported-flag", word="cd", text=first, instead="use only cd DIR, cd - or cd")


def _find_directory(run: Run, target: str, state: State, variables: Mapping[str, str]) -> tuple[str, bool]:
    paths = run.paths
    search = variables.get("CDPATH", "")
    relative = not paths.is_absolute(target) and target.split("/")[0] not in (".", "..")
    if search and relative:
        for folder in search.split(";" if paths.windows else ":"):
            found = paths.normal(paths.join(paths.join(state.cwd, folder or "."), target))
            if os.path.isdir(found):
                return found, folder not in ("", ".")
    return paths.normal(paths.join(state.cwd, target)), False


def _enter(run: Run, target: str, found: str, state: State) -> None:
    try:
        with os.scandir(found):
            # Listing is more than bash asks for; entering alone is what counts, so a refusal to list is no obstacle.
            entered = True
    except PermissionError:
        entered = os.access(found, os.X_OK) and os.path.isdir(found)
        if not entered:
            raise CommandError(f"cd: {target}: Permission denied") from None
    except ValueError as error:
        raise CommandError(f"cd: {target}: {error}") from error
    except OSError as error:
        raise CommandError(f"cd: {target}: {reason(error)}") from error
    state.variables["OLDPWD"] = run.paths.slashed(state.cwd)
    state.variables["PWD"] = run.paths.slashed(found)
    state.cwd = found


def print_text(run: Run, io: Streams, text: str, name: str) -> None:
    """`text` and a line end on the standard output; nothing for no text."""
    try:
        run.output.write(io.stdout, encode(text) + b"\n" if text else b"")
    except BrokenPipeError:
        raise ShellExit(141) from None
    except OSError as error:
        raise CommandError(f"{name}: write error: {reason(error)}") from error
