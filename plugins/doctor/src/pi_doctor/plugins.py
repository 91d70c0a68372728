"""`pi plugins`."""

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pi_api import kinds
from pi_kernel.loader import PluginInfo, PluginState
from pi_kernel.registry import Kind

if TYPE_CHECKING:
    from pi_kernel import Kernel

_ABOUT = """\
List the installed plugins. Nothing of them is loaded for that; with --check all are, as a session would load them, and
what fails is shown with the step it failed in.
"""
_AFTER = "Switch a plugin off with `pi config disable NAME`. Exit status: 1 when --check finds a failure, else 0."


def main(kernel: "Kernel", arguments: Sequence[str]) -> int:
    """Run `pi plugins` and return its exit status."""
    options = _parser().parse_args(arguments)
    notes = _check(kernel) if options.check else []
    infos = kernel.plugins()
    if options.json:
        found = {"plugins": [_facts(info) for info in infos], "conflicts": notes}
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        print("\n".join([*_table(infos), *notes]) or "no plugins are installed")
    return 1 if options.check and any(info.failure for info in infos) else 0


def _check(kernel: "Kernel") -> list[str]:
    """Load everything, ask for every kind of value, and tell which values hide each other."""
    kernel.enable({"doctor"})
    kernel.load()
    every = [value for value in vars(kinds).values() if isinstance(value, Kind) and value.hook]
    for kind in every:
        kernel.all(kind)
    return [str(conflict) for kind in every for conflict in kernel.registry.conflicts(kind)]


def _facts(info: PluginInfo) -> dict[str, Any]:
    failure = info.failure
    return {
        "name": info.name,
        "version": info.version,
        "distribution": info.source.distribution,
        "location": info.source.location,
        "builtin": info.builtin,
        "state": info.state.value,
        "failure": {"step": failure.step, "reason": failure.reason} if failure else None,
    }


def _table(infos: Sequence[PluginInfo]) -> list[str]:
    rows = [
        [
            info.name,
            info.version,
            info.state.value,
            "built in" if info.builtin else f"{info.source.distribution} in {info.source.location}",
        ]
        for info in infos
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for info, row in zip(infos, rows, strict=True):
        lines.append("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
        if info.failure:
            said = " (another distribution's)" if info.state is not PluginState.FAILED else ""
            lines.append(f"    failed in {info.failure.step}{said}: {info.failure.reason}")
    return lines


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("pi plugins", description=_ABOUT, epilog=_AFTER)
    parser.add_argument("--check", action="store_true", help="load every plugin, those of third parties too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser
