"""From the words of a request to an intent and its slots, by the tables in `intents.toml` and `words.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

_MACRO = re.compile(r"\{(\w+)(?::(\w+))?\}")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "\u00a0": " "})
_MARKS = ("```", '"', "'", "`")


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing the model can do: the plan that does it, how people ask for it, and slots that never vary."""

    name: str
    plan: str
    does: str
    examples: tuple[str, ...]
    patterns: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Understood:
    """A request as understood; `slots` holds texts as the user wrote them, without the quotation marks."""

    intent: Intent
    slots: Mapping[str, str]


def table(name: str) -> dict[str, Any]:
    """A TOML table that ships with the package."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


@cache
def intents() -> tuple[Intent, ...]:
    """All intents, in the order in which they are tried."""
    return tuple(
        Intent(
            name=row["name"],
            plan=row["plan"],
            does=row["does"],
            examples=tuple(row["examples"]),
            patterns=tuple(row["patterns"]),
            given=row.get("given", {}),
            shown=row.get("shown", True),
        )
        for row in table("intents.toml")["intent"]
    )


@cache
def words() -> dict[str, Any]:
    """What words mean: kinds of files, slot types, phrases without meaning."""
    return table("words.toml")


def understand(text: str) -> Understood | None:
    """The first intent one of whose patterns fits the whole request; `None` when there is none."""
    request = simplify(text)
    for intent in intents():
        for pattern in intent.patterns:
            match = _compiled(pattern).fullmatch(request)
            if match:
                found = {name: unquote(value) for name, value in match.groupdict().items() if value is not None}
                return Understood(intent, {**intent.given, **found})
    return None


def simplify(text: str) -> str:
    """The request without courtesies and final punctuation; what is inside quotation marks stays as it is."""
    request = text.translate(_QUOTES).strip()
    while (shorter := _trimmed(request)) != request:
        request = shorter
    return request


def unquote(text: str) -> str:
    """A slot without its quotation marks or code fence."""
    stripped = text.strip()
    for mark in _MARKS:
        if len(stripped) >= 2 * len(mark) and stripped.startswith(mark) and stripped.endswith(mark):
            inner = stripped[len(mark) : -len(mark)]
            return re.sub(r"\A[\w+-]*\n", "", inner) if mark == "```" else inner
    return stripped


def _trimmed(request: str) -> str:
    leading, trailing = _courtesies()
    return trailing.sub("", leading.sub("", request)).strip()


@cache
def _courtesies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    ignored = words()["ignored"]
    leading = "|".join(ignored["leading"])
    trailing = "|".join(ignored["trailing"])
    return (
        re.compile(rf"\A(?:{leading})(?=[\s,:!.]|\Z)[\s,:!.]*", re.IGNORECASE),
        re.compile(rf"(?:[\s,;]+(?:{trailing}))?(?:(?<=[\w\"'`)\]])[?!.]+)?\s*\Z", re.IGNORECASE),
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_expanded(pattern)), re.IGNORECASE | re.DOTALL)


def _expanded(pattern: str) -> Iterator[str]:
    """`{name}` or `{name:type}` become named groups, a blank any white space, a blank with `?` any or none."""
    types = words()["slots"]
    place = 0
    for macro in _MACRO.finditer(pattern):
        yield _spaced(pattern[place : macro.start()])
        yield f"(?P<{macro[1]}>{types[macro[2] or macro[1]]})"
        place = macro.end()
    yield _spaced(pattern[place:])


def _spaced(pattern: str) -> str:
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
