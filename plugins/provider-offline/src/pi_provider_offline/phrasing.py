"""Small pieces of the answers."""

import re
from collections.abc import Sequence

from pi_provider_offline.understanding import words

SHOWN = 40


def counted(number: int, one: str, many: str = "") -> str:
    """`1 file`, `12 files`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def bullets(items: Sequence[str], limit: int = SHOWN) -> str:
    """A list, cut after `limit` items with a line that says so."""
    lines = [f"- {item}" for item in items[:limit]]
    if len(items) > limit:
        lines.append(f"- … and {len(items) - limit:,} more")
    return "\n".join(lines)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}"


def sentence(text: str) -> str:
    """The text with a capital letter in front, unless it begins with code."""
    return text[:1].upper() + text[1:]


def place(path: str) -> str:
    """How a directory is called in a sentence."""
    return "this directory" if path == "." else f"`{path}`"


def directory(slot: str | None) -> str:
    """The directory a slot names; the working directory when it names that or nothing."""
    if slot is None or slot.strip().lower() in words()["here"]["names"]:
        return "."
    named = re.fullmatch(words()["here"]["around"], slot, re.IGNORECASE)
    return (named[1] if named else slot).removeprefix("@")


def number(slot: str | None, default: int) -> int:
    """A slot that is a number in digits or in words."""
    if slot is None:
        return default
    return int(slot) if slot.isdigit() else int(words()["numbers"][slot.lower()])
