"""The decision which tier runs a command: pure, on the tree, the same on every system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pi_shell import Refusal, parse
from pi_shell.nodes import List, Span
from pi_shell.queries import simple_command

POSIX, ENGINE, FLOOR = "posix", "engine", "powershell"
Mode = Literal["contract", "posix"]

STATE_COMMANDS = frozenset({"cd", "export", "unset", "exit", "break", "continue"})
"""They change the session, so one tier alone runs them."""
FLOOR_DISTRIBUTION = "pi-shell-powershell"
ENGINE_DISTRIBUTION = "pi-shell-engine"


@dataclass(frozen=True, slots=True)
class Tiers:
    """What can run commands here.

    `floor` says whether the PowerShell floor takes a simple command, and is `None` when that tier is not installed.
    `engine_on` is the setting; `engine_missing` says why the engine cannot run, and is empty when it can.
    """

    floor: Callable[[tuple[str, ...]], bool] | None = None
    engine_on: bool = True
    engine_missing: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """Where a command goes and why. Without `tier` it runs nowhere, and `reason` says what to do instead.

    `refusal` is the identifier of a named refusal, `span` where in the command it stands, if that is known.
    """

    tier: str | None
    reason: str
    tree: List | None = None
    refusal: str | None = None
    span: Span | None = None


def route(command: str, mode: Mode, tiers: Tiers, *, windows_paths: bool) -> Route:
    """The tier that runs `command`."""
    try:
        tree = parse(command, windows_paths=windows_paths)
    except Refusal as refusal:
        if mode == "posix":
            return Route(POSIX, "bash runs every command as it is")
        return Route(None, refusal.message, None, refusal.id, refusal.span)
    if mode == "posix":
        return Route(POSIX, "bash runs every command as it is", tree)
    return _in_contract(tree, tiers)


def _in_contract(tree: List, tiers: Tiers) -> Route:
    words = simple_command(tree)
    why = _why_not_simple(words)
    if words is not None and not why:
        if tiers.floor is not None and tiers.floor(words):
            return Route(FLOOR, f"{words[0]} is one simple command that the PowerShell floor runs", tree)
        why = f"{words[0]} is one simple command"
        why += ", and the PowerShell floor does not run it in this form" if tiers.floor else _no_floor()
    if not tiers.engine_on:
        return Route(None, _engine_off(why, tiers), tree)
    if tiers.engine_missing:
        return Route(None, _engine_unavailable(why, tiers), tree)
    return Route(ENGINE, why, tree)


def _why_not_simple(words: tuple[str, ...] | None) -> str:
    if words is None:
        return "the command has a pipeline, a list, a loop, a redirection, an assignment or an expansion"
    if words[0] in STATE_COMMANDS:
        return f"{words[0]} changes the state of the session"
    return ""


def _no_floor() -> str:
    return f", and the PowerShell floor is not installed (distribution {FLOOR_DISTRIBUTION})"


def _floor_works(tiers: Tiers) -> str:
    if tiers.floor is None:
        return f"simple commands need the PowerShell floor: install {FLOOR_DISTRIBUTION}"
    return "simple commands still run on the PowerShell floor"


def _engine_off(why: str, tiers: Tiers) -> str:
    return (
        f"{why}, so it needs the Python shell engine, which is switched off (windowsShell.pythonEngine is false); "
        f"{_floor_works(tiers)}. Run one simple command at a time, or switch the engine on"
    )


def _engine_unavailable(why: str, tiers: Tiers) -> str:
    return (
        f"{why}, so it needs the Python shell engine, which is unavailable: {tiers.engine_missing}; "
        f"{_floor_works(tiers)}"
    )
