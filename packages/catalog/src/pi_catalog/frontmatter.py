"""The front matter of Markdown files: YAML between two lines of three dashes."""

import re
from pathlib import Path
from typing import Any

from pi_catalog.text import visible

LIMIT = 16 * 1024
"""Bytes of a file in which its front matter must end."""

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):(?: +(.*?))? *")
_PLAIN = re.compile(r"[A-Za-z(/][^#\n]*")
_QUOTED = re.compile(r'"([^"\\]*)"|\'([^\']*)\'')
_WORDS = {"true": True, "false": False}
_AMBIGUOUS = re.compile(r"(?i)(y|n|yes|no|on|off|true|false|null)")
_FENCE = re.compile(r"---[ \t]*")


class BadFrontMatter(ValueError):
    """There is front matter, and it cannot be read."""


def front_matter(text: str) -> dict[str, Any]:
    """The front matter at the beginning of a text; an empty mapping when there is none."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or _FENCE.fullmatch(lines[0]) is None:
        return {}
    for number, line in enumerate(lines[1:], 1):
        if _FENCE.fullmatch(line):
            block = lines[1:number]
            found = simple(block)
            return found if found is not None else _yaml("\n".join(block))
    raise BadFrontMatter("its front matter has no end (a line of ---)")


def head(path: Path, problems: list[str]) -> dict[str, Any] | None:
    """The front matter of a file, of which no more is read; `None` with the reason in `problems`."""
    try:
        with path.open("rb") as file:
            return front_matter(file.read(LIMIT).decode("utf-8", "replace"))
    except OSError as error:
        problems.append(f"{path} cannot be read ({error.strerror or error}), so it is left out")
    except BadFrontMatter as error:
        problems.append(f"{path} is left out: {error}")
    return None


def body_of(path: Path) -> str:
    """The first part of a file below its front matter."""
    with path.open("rb") as file:
        text = file.read(LIMIT).decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.splitlines()
    if not lines or _FENCE.fullmatch(lines[0]) is None:
        return visible(text)
    end = next(number for number, line in enumerate(lines[1:], 1) if _FENCE.fullmatch(line))
    return visible("\n".join(lines[end + 1 :]))


def line(value: Any) -> str:
    """A text as one line without hidden characters; "" for what is no text."""
    return " ".join(visible(value).split()) if isinstance(value, str) else ""


def simple(lines: list[str]) -> dict[str, Any] | None:
    """What YAML says of lines like `key: words`, without loading YAML; `None` when they need a real parser."""
    found: dict[str, Any] = {}
    for line in lines:
        match = _KEY.fullmatch(line)
        if match is None or match[1] in found or _AMBIGUOUS.fullmatch(match[1]):
            return None
        value = match[2] or ""
        if value in _WORDS:
            found[match[1]] = _WORDS[value]
        elif quoted := _QUOTED.fullmatch(value):
            found[match[1]] = quoted[1] if quoted[1] is not None else quoted[2]
        elif _PLAIN.fullmatch(value) and value.isprintable() and ": " not in value and not value.endswith(":"):
            if _AMBIGUOUS.fullmatch(value):
                return None
            found[match[1]] = value
        else:
            return None
    return found


def _yaml(text: str) -> dict[str, Any]:
    # Loaded late: most front matter is simple, and loading YAML costs more than reading a hundred skills.
    import yaml

    try:
        found = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        where = " ".join(str(error).split())
        raise BadFrontMatter(f"its front matter is not YAML: {where}") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise BadFrontMatter("its front matter is not a mapping of keys to values")
    return {str(key): value for key, value in found.items()}
