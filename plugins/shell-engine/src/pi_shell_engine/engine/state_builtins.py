"""Builtins that change or show the shell's own state, and so are no plain functions of their input."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from pi_shell import refuse, split_assignment

from pi_shell_engine.builtins.interface import encode, reason
from pi_shell_engine.engine.environment import home
from pi_shell_engine.engine.expansion import NAME, expand_text, expand_word
from pi_shell_engine.engine.state import CommandError, LoopControl, ShellExit
from pi_shell_engine.streams import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pi_shell.nodes import Word

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams

DECLARATIONS = ("export",)
"""Builtins whose `NAME=value` arguments expand as assignments do."""


def expand_declaration(run: Run, words: Sequence[Word], state: State, io: Streams) -> list[str]:
    """The arguments of a declaration: what is written as an assignment is neither split nor a pattern."""
    argv: list[str] = []
    for word in words:
        assignment = split_assignment(word)
        if assignment is not None:
            argv.append(f"{assignment.name}={expand_text(run, assignment.value, state, io)}")
        else:
            argv += expand_word(run, word, state, io)
    return argv


def cd(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`cd [-L|-P] [DIR|-]`."""
    operands, physical = _cd_options(argv[1:])
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
    _enter(run, target, os.path.realpath(found) if physical else found, state)
    if printed or by_cdpath:
        _print(io, run.paths.slashed(state.cwd), "cd")
    return 0


def _cd_options(words: Sequence[str]) -> tuple[Sequence[str], bool]:
    physical = False
    for index, word in enumerate(words):
        if word == "--":
            return words[index + 1 :], physical
        if len(word) < 2 or not word.startswith("-"):
            return words[index:], physical
        if word.strip("LPe@-"):
            raise refuse("unsupported-flag", word="cd", text=word, instead="it takes -L or -P and one directory")
        physical = word[-1] == "P"
    return (), physical


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


def pwd(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`pwd [-L|-P]`."""
    flags = [word for word in argv[1:] if word.startswith("-") and word != "-"]
    for flag in flags:
        if flag.strip("LP-"):
            raise refuse("unsupported-flag", word="pwd", text=flag, instead="it takes -L or -P")
    physical = bool(flags) and flags[-1].endswith("P")
    _print(io, run.paths.slashed(os.path.realpath(state.cwd) if physical else state.cwd), "pwd")
    return 0


def export(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`export [NAME[=VALUE]…]`; every variable is exported anyway."""
    words = list(argv[1:])
    if words and words[0] == "--":
        del words[0]
    elif words and words[0].startswith("-") and words[0] != "-p":
        raise refuse("unsupported-flag", word="export", text=words[0], instead="write export NAME=value, or unset NAME")
    if not words or words == ["-p"]:
        lines = [f'declare -x {name}="{_escaped(value)}"\n' for name, value in sorted(variables.items())]
        _print(io, "".join(lines).removesuffix("\n"), "export")
        return 0
    status = 0
    for word in words[words[0] == "-p" :]:
        name, assigned, value = word.partition("=")
        if not NAME.fullmatch(name):
            run.warn(f"export: `{word}': not a valid identifier", io.stderr)
            status = 1
        elif assigned:
            state.variables[name] = value
    return status


def _escaped(value: str) -> str:
    return "".join(f"\\{char}" if char in '"\\$`' else char for char in value)


def unset(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`unset [-v] NAME…`."""
    words, strict = list(argv[1:]), False
    while words and words[0].startswith("-") and words[0] != "-":
        flag = words.pop(0)
        if flag == "--":
            break
        if flag != "-v":
            raise refuse("unsupported-flag", word="unset", text=flag, instead="write unset NAME")
        strict = True
    status = 0
    for name in words:
        if not NAME.fullmatch(name):
            # Without -v it could be a function's name, and there are no functions.
            if strict:
                run.warn(f"unset: `{name}': not a valid identifier", io.stderr)
                status = 1
        elif name in state.variables:
            del state.variables[name]
    return status


def exit_shell(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`exit [N]`: ends the shell or subshell around it."""
    words = argv[1:]
    if words and words[0] == "--":
        words = words[1:]
    if not words:
        raise ShellExit(state.status)
    number = _number(words[0])
    if number is None:
        run.warn(f"exit: {words[0]}: numeric argument required", io.stderr)
        raise ShellExit(2)
    if len(words) > 1:
        raise CommandError("exit: too many arguments")
    raise ShellExit(number & 0xFF)


def break_loop(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`break [N]`."""
    return _leave(run, argv, state, io, again=False)


def continue_loop(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`continue [N]`."""
    return _leave(run, argv, state, io, again=True)


def _leave(run: Run, argv: Sequence[str], state: State, io: Streams, *, again: bool) -> int:
    if not state.loops:
        run.warn(f"{argv[0]}: only meaningful in a `for' loop", io.stderr)
        return 0
    words = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    levels = 1 if not words else _number(words[0])
    wrong = None
    if levels is None:
        wrong = f"{words[0]}: numeric argument required"
    elif len(words) > 1:
        wrong = "too many arguments"
    elif levels <= 0:
        wrong = f"{words[0]}: loop count out of range"
    if levels is None or wrong is not None:
        run.warn(f"{argv[0]}: {wrong}", io.stderr)
        raise LoopControl(state.loops, again=False, status=1)
    raise LoopControl(min(levels, state.loops), again=again)


def _number(text: str) -> int | None:
    stripped = text.strip(" \t\n")
    digits = stripped[1:] if stripped[:1] in ("+", "-") else stripped
    if not digits.isascii() or not digits.isdigit() or len(digits) > 19:
        return None
    number = int(stripped)
    return number if -(1 << 63) <= number < 1 << 63 else None


def _print(io: Streams, text: str, name: str) -> None:
    try:
        write_all(io.stdout, encode(text) + b"\n" if text else b"")
    except BrokenPipeError:
        raise ShellExit(141) from None
    except OSError as error:
        raise CommandError(f"{name}: write error: {reason(error)}") from error


StateBuiltin: TypeAlias = "Callable[[Run, Sequence[str], State, Variables, Streams], int]"
STATE_BUILTINS: dict[str, StateBuiltin] = {
    "cd": cd,
    "pwd": pwd,
    "export": export,
    "unset": unset,
    "exit": exit_shell,
    "break": break_loop,
    "continue": continue_loop,
}
