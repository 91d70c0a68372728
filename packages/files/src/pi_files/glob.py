"""Globs of paths, as ripgrep, fd and editors understand them: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any folders.

The dialect is that of the Rust crate `globset` (documented there under "Syntax"), with `/` matched by `**` alone.
"""

import re
from collections.abc import Callable

from pi_api.tool import ToolError

_RECURSIVE_PREFIX, _RECURSIVE_SUFFIX, _RECURSIVE_MIDDLE = "(?:/?|.*/)", "/.*", "(?:/|/.*/)"
_ANY_NAME = "[^/]*"


class BadGlob(ToolError):
    """The glob is not well formed."""


def path_matcher(pattern: str) -> Callable[[str], bool]:
    """A test of relative paths written with `/`. Raises `BadGlob`.

    A pattern without `/` is matched against the last name, one with `/` against the whole path; a leading `!` turns
    the answer round, a leading `./` or `/` means the folder searched.
    """
    wanted = not pattern.startswith("!")
    body = pattern.removeprefix("!")
    whole = "/" in body
    match = re.compile(translate(body.removeprefix("./").removeprefix("/") if whole else body), re.DOTALL).fullmatch
    if whole:
        return lambda path: (match(path) is not None) is wanted
    return lambda path: (match(path.rpartition("/")[2]) is not None) is wanted


def translate(pattern: str) -> str:
    """A glob as a regular expression for the whole of a path. Raises `BadGlob`."""
    return _Translator(pattern).run()


class _Translator:
    """Reads a pattern once from left to right, keeping a stack of open `{`."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._stack: list[list[list[str]]] = [[[]]]

    def run(self) -> str:
        while self._at < len(self._pattern):
            self._token()
        if len(self._stack) > 1:
            raise self._bad("a `{` is not closed; close it or write `\\{`")
        tokens = self._stack[0][0]
        return ".*" if tokens == [_RECURSIVE_PREFIX] else "".join(tokens)

    def _token(self) -> None:
        char = self._take()
        if char == "*":
            self._star()
        elif char == "?":
            self._push("[^/]")
        elif char == "[":
            self._push(self._character_class())
        elif char == "{":
            self._stack.append([[]])
        elif char == "}":
            self._close()
        elif char == "," and len(self._stack) > 1:
            self._stack[-1].append([])
        elif char == "\\":
            if self._at == len(self._pattern):
                raise self._bad("it ends with a backslash; write `\\\\` for one")
            self._push(re.escape(self._take()))
        else:
            self._push(re.escape(char))

    def _star(self) -> None:
        before = self._pattern[self._at - 2] if self._at > 1 else ""
        if self._peek() != "*":
            return self._push(_ANY_NAME)
        self._take()
        after = self._peek()
        if not self._tokens():
            if after not in ("", "/"):
                return self._push(_ANY_NAME)
            self._push(_RECURSIVE_PREFIX)
            self._at += 1
            return None
        in_braces = len(self._stack) > 1
        if before != "/" and not (in_braces and before in ",{"):
            return self._push(_ANY_NAME)
        ends = after == "" or (in_braces and after in ",}")
        if not ends and after != "/":
            return self._push(_ANY_NAME)
        if not ends:
            self._at += 1
        last = self._tokens().pop() if self._stack[-1][-1] else ""
        if last in (_RECURSIVE_PREFIX, _RECURSIVE_SUFFIX):
            return self._push(last)
        return self._push(_RECURSIVE_SUFFIX if ends else _RECURSIVE_MIDDLE)

    def _character_class(self) -> str:
        negated = self._peek() in ("!", "^")
        if negated:
            self._take()
        ranges: list[tuple[str, str]] = []
        first, in_range = True, False
        while True:
            if self._at == len(self._pattern):
                raise self._bad("a `[` is not closed; close it or write `\\[`")
            char = self._take()
            if char == "]" and not first:
                break
            if char == "-" and not first and not in_range and self._peek() not in ("]", ""):
                in_range = True
            elif in_range:
                low = ranges[-1][0]
                if low > char:
                    raise self._bad(f"the range {low}-{char} runs backwards; write {char}-{low}")
                ranges[-1] = (low, char)
                in_range = False
            else:
                ranges.append((char, char))
            first = False
        body = "".join(re.escape(low) if low == high else f"{re.escape(low)}-{re.escape(high)}" for low, high in ranges)
        return f"(?!/)[{'^' if negated else ''}{body}]"

    def _close(self) -> None:
        if len(self._stack) == 1:
            raise self._bad("a `}` closes nothing; write `\\}`")
        choices = ["".join(tokens) for tokens in self._stack.pop()]
        if filled := [choice for choice in choices if choice]:
            self._push(f"(?:{'|'.join(filled)})")

    def _tokens(self) -> list[str]:
        return self._stack[-1][-1]

    def _push(self, token: str) -> None:
        self._tokens().append(token)

    def _take(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1]

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _bad(self, reason: str) -> BadGlob:
        return BadGlob(f"the glob {self._pattern!r} is not well formed: {reason}")
