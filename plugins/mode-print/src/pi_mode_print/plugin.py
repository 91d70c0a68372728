"""The manifest: two modes and a flag."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Flag, Mode, ModeRun


async def _text(run: "ModeRun") -> int:
    from pi_mode_print.text import run_text

    return await run_text(run)


async def _json(run: "ModeRun") -> int:
    from pi_mode_print.jsonl import run_json

    return await run_json(run)


@hookimpl
def pi_flags(register: "Callable[[Flag], None]") -> None:
    from pi_api import Flag

    register(Flag("print", "answer once and leave", short="p", section="mode"))


@hookimpl
def pi_modes(register: "Callable[[Mode], None]") -> None:
    from pi_api import Mode

    register(Mode("print", "print the answer", _text))
    register(Mode("json", "print every event as a line of JSON", _json))
