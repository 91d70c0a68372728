"""`pi config list`."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pi_catalog.item import KINDS, Kind

from pi_config.desk import Desk
from pi_config.inventory import ItemRow, PluginRow, everything, plugins

SECTIONS = ("plugins", *(f"{kind}s" for kind in KINDS))
_DESCRIPTION = 60


def listing(desk: Desk, wanted: Sequence[str], *, home: Path, as_json: bool) -> tuple[str, list[str]]:
    """The list asked for, of all sections when none is named, and the problems met."""
    sections = [section for section in SECTIONS if not wanted or section in wanted]
    kinds: tuple[Kind, ...] = tuple(kind for kind in KINDS if f"{kind}s" in sections)
    if kinds:
        desk.load_builtin()
    rows, problems = everything(desk, kinds, home=home)
    shown = plugins(desk) if "plugins" in sections else []
    found = [*desk.settings.problems, *problems]
    if as_json:
        return json.dumps(_facts(sections, shown, rows, found), indent=2, ensure_ascii=False), []
    blocks = _plugin_blocks(shown) if "plugins" in sections else []
    blocks += [_block(f"{kind}s", _item_lines(row for row in rows if row.item.kind == kind)) for kind in kinds]
    if not desk.trusted and (desk.cwd / ".pi").exists() and kinds:
        blocks.append("This project is not trusted, so what it brings is not listed (`pi trust`).")
    return "\n\n".join(blocks), found


def _facts(sections: Iterable[str], shown: list[PluginRow], rows: list[ItemRow], problems: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"plugins": [row.to_json() for row in shown]}
    found.update({f"{kind}s": [row.to_json() for row in rows if row.item.kind == kind] for kind in KINDS})
    return {**{section: found[section] for section in sections}, "problems": problems}


def _plugin_blocks(rows: list[PluginRow]) -> list[str]:
    blocks = [_block("plugins, built in", _plugin_lines(row for row in rows if row.info.builtin))]
    if third := [row for row in rows if not row.info.builtin]:
        blocks.append(_block("plugins, third party", _plugin_lines(third, located=True)))
    return [block for block in blocks if block]


def _plugin_lines(rows: Iterable[PluginRow], *, located: bool = False) -> list[list[str]]:
    return [
        [
            _switch(row.enabled),
            row.info.name,
            f"{row.info.source.distribution} {row.info.version}",
            row.info.source.location if located else "",
            f"FAILED: {row.info.failure.step}: {row.info.failure.reason}" if row.info.failure else "",
        ]
        for row in rows
    ]


def _item_lines(rows: Iterable[ItemRow]) -> list[list[str]]:
    return [[_switch(row.enabled), row.item.name, row.item.source, _cut(row.item.description)] for row in rows]


def _block(title: str, lines: list[list[str]]) -> str:
    if not lines:
        return f"{title}:\n  none"
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = ("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)
    return "\n".join([f"{title}:", *(f"  {line}" for line in table)])


def _switch(on: bool) -> str:
    return "on" if on else "off"


def _cut(text: str) -> str:
    return text if len(text) <= _DESCRIPTION else f"{text[: _DESCRIPTION - 1]}…"
