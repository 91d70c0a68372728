"""Changing one value in the text of a settings file and leaving the rest, comments and layout, as it was."""

import json
import re
from dataclasses import dataclass
from typing import Any

from pi_api import UsageError
from pi_kernel import jsonc

from pi_settings.layers import nested
from pi_settings.paths import Keys, join

_SPACE = re.compile(r"\s*")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Member:
    """`"key": value` in a text: where the key begins, where the value begins and ends."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Object:
    """An object in a text: the positions of its two braces, and its members."""

    open: int
    close: int
    members: tuple[Member, ...]

    def member(self, key: str) -> Member | None:
        """The member of a key; of several the last, as readers of JSON take it."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def with_value(text: str, keys: Keys, value: Any) -> str:
    """The text with a value at some keys. `text` is valid, and an object or blank."""
    plain = jsonc.plain(text)
    if not plain.strip():
        gap = _newline(text) if text and not text.endswith(("\n", "\r")) else ""
        return f"{text}{gap}{_dumped(nested(keys, value), text, '')}{_newline(text)}"
    place = _object_at(plain, _SPACE.match(plain).end())  # type: ignore[union-attr]
    for depth, key in enumerate(keys):
        member = place.member(key)
        if member is None:
            return _with_member(text, plain, place, key, nested(keys[depth + 1 :], value))
        if depth == len(keys) - 1:
            return text[: member.value] + _dumped(value, text, _indent_at(text, member.start)) + text[member.end :]
        if plain[member.value] != "{":
            found = plain[member.value : member.end]
            raise UsageError(f"{join(keys[: depth + 1])} is {found}, not an object; unset it first")
        place = _object_at(plain, member.value)
    return text


def without_value(text: str, keys: Keys) -> str:
    """The text without the value at some keys, which is there. `text` is valid and an object."""
    while (found := _find(jsonc.plain(text), keys)) is not None:
        text = _without_member(text, *found)
    return text


def _find(plain: str, keys: Keys) -> tuple[Object, Member] | None:
    place = _object_at(plain, _SPACE.match(plain).end())  # type: ignore[union-attr]
    for key in keys[:-1]:
        member = place.member(key)
        if member is None or plain[member.value] != "{":
            return None
        place = _object_at(plain, member.value)
    member = place.member(keys[-1])
    return (place, member) if member else None


def _object_at(plain: str, position: int) -> Object:
    """The object whose opening brace is at a position of a text of plain, valid JSON."""
    members: list[Member] = []
    at = _skip(plain, position + 1)
    while plain[at] != "}":
        key, end = _DECODER.raw_decode(plain, at)
        value = _skip(plain, _skip(plain, end) + 1)
        _, end = _DECODER.raw_decode(plain, value)
        members.append(Member(key, at, value, end))
        at = _skip(plain, end)
        if plain[at] == ",":
            at = _skip(plain, at + 1)
    return Object(position, at, tuple(members))


def _skip(plain: str, position: int) -> int:
    return _SPACE.match(plain, position).end()  # type: ignore[union-attr]


def _with_member(text: str, plain: str, place: Object, key: str, value: Any) -> str:
    inside = text[place.open + 1 : place.close]
    last = place.members[-1] if place.members else None
    if last and "\n" not in text[last.end : place.close]:
        return f"{text[: last.end]}, {json.dumps(key, ensure_ascii=False)}: {_compact(value)}{text[last.end :]}"
    newline = _newline(text)
    outer = _indent_at(text, place.open)
    indent = _indent_at(text, last.start) if last else outer + _unit(text)
    member = f"{newline}{indent}{json.dumps(key, ensure_ascii=False)}: {_dumped(value, text, indent)}"
    end = place.open + 1 + len(inside.rstrip())
    if last is None:
        closing = "" if "\n" in text[end : place.close] else newline + outer
        return text[:end] + member + closing + text[end if not closing else place.close :]
    comma = "" if _comma(text, last.end, place.close) is not None else ","
    return text[: last.end] + comma + text[last.end : end] + member + text[end:]


def _without_member(text: str, place: Object, member: Member) -> str:
    index = place.members.index(member)
    before = place.members[index - 1].end if index else place.open + 1
    after = place.members[index + 1].start if index + 1 < len(place.members) else place.close
    comma = _comma(text, member.end, after)
    if comma is None and index:
        comma = _comma(text, before, member.start)
    cut = sorted([(member.start, member.end), *([(comma, comma + 1)] if comma is not None else [])], reverse=True)
    for start, end in cut:
        text = text[:start] + text[end:]
    at = member.start - (1 if comma is not None and comma < member.start else 0)
    return _without_blank_line(text, at)


def _without_blank_line(text: str, position: int) -> str:
    """Take out the line at a position when nothing is left on it, or the blanks a removal left within a line."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    if start and end >= 0 and not text[start:end].strip():
        return text[:start] + text[end + 1 :]
    before, rest = text[:position], text[position:].lstrip(" \t")
    return (before.rstrip(" \t") if rest.startswith("}") else before) + rest


def _comma(text: str, start: int, end: int) -> int | None:
    """The comma between two tokens, comments aside."""
    found = jsonc.without_comments(text).find(",", start, end)
    return found if found >= 0 else None


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_at(text: str, position: int) -> str:
    """The white space at the beginning of the line of a position."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = _INDENT.search(jsonc.plain(text))
    return found[1] if found else "  "


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _dumped(value: Any, text: str, indent: str) -> str:
    """A value as JSON whose later lines begin with `indent`."""
    dumped = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return dumped.replace("\n", _newline(text) + indent)
