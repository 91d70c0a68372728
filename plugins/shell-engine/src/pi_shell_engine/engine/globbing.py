"""Pathname expansion: `*`, `?` and `[…]` in the last part of a path."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from pi_shell_engine.engine.fields import Field, Piece

if TYPE_CHECKING:
    from pi_shell_engine.paths import PathRules

CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \t", "cntrl": "\x00-\x1f\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \t-\r", "upper": "A-Z",
    "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
CLASS = re.compile(r"\[:([a-z]+):\]")


def expand_pattern(field: Field, cwd: str, paths: PathRules, ignored: str = "") -> list[str]:
    """The existing paths that `field` matches, in byte order; empty when there are none.

    `ignored` is the value of GLOBIGNORE: patterns of paths to leave out, and when there are any, dots are no obstacle.
    """
    directory, last, trailing = split_path(field, windows=paths.windows)
    if not last.is_pattern:
        return []
    folder = directory.text
    matches = pattern_regex(last).fullmatch
    hidden = bool(ignored) or last.text.startswith(".")
    try:
        with os.scandir(paths.join(cwd, folder) if folder else cwd) as entries:
            names = [
                entry.name
                for entry in entries
                if (hidden or not entry.name.startswith("."))
                and matches(entry.name)
                and (not trailing or _is_dir(entry))
            ]
    except (OSError, ValueError):
        return []
    prefix = paths.slashed(folder)
    found = [f"{prefix}{name}{trailing}" for name in sorted(names, key=os.fsencode)]
    for pattern in filter(None, ignored.split(":")):
        leave_out = pattern_regex(Field([Piece(pattern, False)])).fullmatch
        found = [path for path in found if not leave_out(path)]
    return found


def _is_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def split_path(field: Field, *, windows: bool) -> tuple[Field, Field, str]:
    """The directory part with its separator, the last part, and the separators behind it."""
    separators = "/\\" if windows else "/"
    text = field.text
    end = len(text.rstrip(separators))
    start = max(text.rfind(char, 0, end) for char in separators) + 1
    return _slice(field, 0, start), _slice(field, start, end), text[end:].replace("\\", "/") if windows else text[end:]


def directory_pattern_matches(field: Field, cwd: str, paths: PathRules) -> bool:
    """Whether a pattern in the directory part, which is literal here, would match something in bash."""
    directory, last, trailing = split_path(field, windows=paths.windows)
    return directory.is_pattern and any(
        last.text == "" or expand_pattern(Field([Piece(folder, True), *last, Piece(trailing, True)]), cwd, paths)
        if last.is_pattern
        else os.path.lexists(paths.join(cwd, folder + last.text))
        for folder in _every_match(directory, cwd, paths)
    )


def _every_match(directory: Field, cwd: str, paths: PathRules) -> list[str]:
    """What a directory part with its separators matches when patterns are live in all of it."""
    upper, last, trailing = split_path(directory, windows=paths.windows)
    uppers = _every_match(upper, cwd, paths) if upper.is_pattern else [upper.text]
    if not last.is_pattern:
        return [f"{folder}{last.text}{trailing}" for folder in uppers]
    fields = [Field([Piece(folder, True), *last, Piece(trailing, True)]) for folder in uppers]
    return [match for field in fields for match in expand_pattern(field, cwd, paths)]


def _slice(field: Field, start: int, end: int) -> Field:
    part, position = Field(), 0
    for piece in field:
        text = piece.text[max(start - position, 0) : max(end - position, 0)]
        if text:
            part.append(Piece(text, piece.quoted))
        position += len(piece.text)
    return part


def pattern_regex(field: Field) -> re.Pattern[str]:
    """A pattern as a regular expression for `fullmatch`; what is quoted stands for itself."""
    marked = "".join(
        f"\0{char}" if piece.quoted and char in "*?[]!^-\\" else char for piece in field for char in piece.text
    )
    return re.compile(_translate(marked), re.DOTALL)


def _translate(marked: str) -> str:
    """`marked` has a NUL before every character that is quoted."""
    out: list[str] = []
    position = 0
    while position < len(marked):
        char = marked[position]
        position += 1
        if char == "\0":
            out.append(re.escape(marked[position]))
            position += 1
        elif char == "*":
            if not out or out[-1] != ".*":
                out.append(".*")
        elif char == "?":
            out.append(".")
        elif char == "[" and (bracket := _bracket(marked, position)) is not None:
            text, position = bracket
            out.append(text)
        else:
            out.append(re.escape(char))
    return "".join(out)


def _bracket(marked: str, start: int) -> tuple[str, int] | None:
    """The set that begins behind the `[` before `start`, or `None` when it is never closed."""
    position = start
    negated = marked[position : position + 1] in ("!", "^")
    position += negated
    items: list[str] = []
    first = True
    while position < len(marked):
        char = marked[position]
        named = CLASS.match(marked, position)
        if char == "]" and not first:
            body = "".join(items)
            if not body:
                return ("." if negated else "(?!)"), position + 1
            return f"[{'^' if negated else ''}{body}]", position + 1
        first = False
        if named is not None:
            items.append(CLASSES.get(named[1], ""))
            position = named.end()
            continue
        low, position = _member(marked, position)
        if marked[position : position + 1] == "-" and marked[position + 1 : position + 2] not in ("]", ""):
            high, position = _member(marked, position + 1)
            items.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else "")
        else:
            items.append(re.escape(low))
    return None


def _member(marked: str, position: int) -> tuple[str, int]:
    if marked[position] == "\0":
        position += 1
    return marked[position], position + 1
