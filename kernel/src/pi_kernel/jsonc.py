"""JSON as people keep settings in: comments and trailing commas allowed.

In the kernel because it reads from such a file which plugins are switched off.
"""

import json
import re
from typing import Any

_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_VISIBLE = re.compile(r"[^\s]")


def loads(text: str) -> Any:
    """The value of a JSON text with comments; `json.JSONDecodeError` tells line and column of the text as given."""
    try:
        return json.loads(plain(text))
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", text, 0) from None


def plain(text: str) -> str:
    """The text with comments and trailing commas blanked: plain JSON, every remaining character where it was."""
    return _TRAILING_COMMA.sub(_blank, without_comments(text))


def without_comments(text: str) -> str:
    """The text with comments blanked and every comma in its place."""
    return _COMMENT.sub(_blank, text)


def _blank(found: "re.Match[str]") -> str:
    token = found.group()
    return token if token.startswith('"') else _VISIBLE.sub(" ", token)
