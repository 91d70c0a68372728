"""Hints: one line on standard error where a listed divergence is about to change an answer (`hints.toml`)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "pi: note: "


def hint_text(key: str, fields: Mapping[str, str]) -> str:
    """The line of the row `key`, filled with `fields`. Raises `KeyError` for an unknown row or a missing field."""
    from pi_shell.refusals import shown

    text: str = rows()[key]["text"]
    return PREFIX + text.format_map({name: shown(value) for name, value in fields.items()})


@cache
def rows() -> Mapping[str, Mapping[str, str]]:
    """All hints by their keys."""
    import tomllib
    from pkgutil import get_data

    return tomllib.loads((get_data("pi_shell_engine", "hints.toml") or b"").decode())
