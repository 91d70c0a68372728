"""`exit`, `break` and `continue`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell_engine.engine.state import LoopControl, ShellExit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams


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
        run.warn("exit: too many arguments", io.stderr)
        raise ShellExit(1)
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
