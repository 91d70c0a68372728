"""Regular expressions written for ripgrep, compiled by Python's `re` where ripgrep is not installed.

What both understand means the same; what only one understands is translated where that is simple and refused otherwise.
"""

import re
import warnings

from pi_tool_grep.query import BadPattern, Query

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_SPELLINGS = re.compile(
    r"\[:(?P<posix>\w+):\]|\\[xu]\{(?P<code>[0-9A-Fa-f]{1,6})\}|\(\?<(?P<group>\w+)>|\\.", re.DOTALL
)


def compile_query(query: Query) -> "re.Pattern[str]":
    """The pattern of a query for single lines without their ending. Raises `BadPattern`."""
    flags = re.IGNORECASE if query.ignore_case else re.NOFLAG
    if query.literal:
        return re.compile(re.escape(query.pattern), flags)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            return re.compile(_SPELLINGS.sub(_translated, query.pattern), flags)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        raise BadPattern(
            f"the pattern is not a regular expression that can be searched for here: {error}; "
            "correct it, set literal for plain text, or install ripgrep for its full syntax"
        ) from error


def _translated(match: "re.Match[str]") -> str:
    if name := match["posix"]:
        if name not in _CLASSES:
            raise re.error(f"unknown character class [:{name}:]")
        return _CLASSES[name]
    if match["code"]:
        return re.escape(chr(int(match["code"], 16)))
    return f"(?P<{match['group']}>" if match["group"] else match[0]
