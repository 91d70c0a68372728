"""The tree as JSON, for people and for `--explain`."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeAlias

from pi_shell.nodes import Span

if TYPE_CHECKING:
    from pi_shell.nodes import Node

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"


def as_json(node: Node) -> Json:
    """`node` as JSON values: `type` is the node's class, `span` is `[start, end]`, absent parts are left out."""
    return _value(node)


def dump(node: Node) -> str:
    """`as_json` as indented text. Text that is not UTF-8 is escaped, so the result always encodes."""
    import json

    return json.dumps(as_json(node), indent=2)


def _value(value: object) -> Json:
    if isinstance(value, Span):
        return [value.start, value.end]
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    if is_dataclass(value):
        content = {field.name: getattr(value, field.name) for field in fields(value)}
        return {
            "type": type(value).__name__,
            **{name: _value(item) for name, item in content.items() if _present(item)},
        }
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"{value!r} is no part of a tree")


def _present(value: object) -> bool:
    return value is not None and value != () and value is not False
