"""What the parser and the router make of a case, by the rules of Windows and with every tier there."""

from pi_shell import parse
from pi_shell.sketch import sketch
from pi_shell_router.routing import Route, Tiers, route

ALL = Tiers(floor=lambda words: True)
NO_FLOOR = Tiers()
ENGINE_OFF = Tiers(floor=lambda words: True, engine_on=False)
ENGINE_MISSING = Tiers(floor=lambda words: True, engine_missing="there is no Python")


def tree(command: str) -> str:
    """The sketch of a command's tree."""
    return sketch(parse(command, windows_paths=True))


def routed(command: str, tiers: Tiers = ALL) -> Route:
    """Where a command goes on Windows."""
    return route(command, "contract", tiers, windows_paths=True)
