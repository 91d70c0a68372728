"""Dataclasses to and from camelCase JSON objects, unknown keys kept."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar, Self


class Record:
    """Base of the JSON-shaped dataclasses; each has a field `extra` for the keys it does not know.

    `TAG` is the key and value that tell the type in a union; `NESTED` says how fields that are not plain JSON are read.
    """

    __slots__ = ()
    TAG: ClassVar[tuple[str, str] | None] = None
    NESTED: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def to_json(self) -> dict[str, Any]:
        """A JSON object: the tag first, then the fields in order without those that are `None`, then `extra`."""
        data: dict[str, Any] = dict([self.TAG]) if self.TAG else {}
        for name, key, _ in _layout(type(self)):
            value = getattr(self, name)
            if value is not None:
                data[key] = _plain(value)
        data.update(getattr(self, "extra", {}))
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a JSON object; `ValueError` names the required keys that are missing."""
        layout = _layout(cls)
        missing = [key for _, key, required in layout if required and key not in data]
        if missing:
            raise ValueError(f"{cls.__name__} lacks {', '.join(missing)}")
        read = cls.NESTED
        values = {name: read.get(name, _same)(data[key]) for name, key, _ in layout if key in data}
        known = {key for _, key, _ in layout} | ({cls.TAG[0]} if cls.TAG else set())
        if extra := {key: value for key, value in data.items() if key not in known}:
            values["extra"] = extra
        return cls(**values)


def camel(name: str) -> str:
    """`tool_call_id` → `toolCallId`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def decode(data: Mapping[str, Any], types: Mapping[str, type[Record]], key: str) -> Any:
    """Read an object as the type its tag names; `ValueError` when there is no such type."""
    kind = types.get(str(data.get(key)))
    if kind is None:
        raise ValueError(f"unknown {key} {data.get(key)!r}; known are {', '.join(types)}")
    return kind.from_json(data)


def tagged(*types: type[Record]) -> dict[str, type[Record]]:
    """Types by the value of their tag."""
    return {kind.TAG[1]: kind for kind in types if kind.TAG}


_LAYOUTS: dict[type[Record], tuple[tuple[str, str, bool], ...]] = {}


def _layout(cls: type[Record]) -> tuple[tuple[str, str, bool], ...]:
    """Field name, JSON key and whether it is required, of every field but `extra`."""
    if cls not in _LAYOUTS:
        declared: tuple[Field[Any], ...] = fields(cls)  # type: ignore[arg-type]
        _LAYOUTS[cls] = tuple(
            (item.name, camel(item.name), item.default is MISSING and item.default_factory is MISSING)
            for item in declared
            if item.name != "extra"
        )
    return _LAYOUTS[cls]


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_json()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _same(value: Any) -> Any:
    return value
