"""What a `$` or a backtick starts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.ansi_c import decode_ansi_c
from pi_shell.nodes import CommandSub, List, Parameter, Quoted, Redirect, Simple
from pi_shell.parameters import NAME, braced_parameter, check_variable
from pi_shell.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell.nodes import Segment
    from pi_shell.words import WordScanner

CONTINUATIONS = re.compile(r"(?:\\\n)*")
SPECIAL = frozenset("@*#$!-0123456789")
ANSI_C = re.compile(r"'((?:[^'\\]+|\\.)*+)'", re.DOTALL)
BACKTICK_BODY = re.compile(r"(?:[^`\\]+|\\.)*+", re.DOTALL)
BACKTICK_ESCAPE = re.compile(r"\\([\\$`])")
QUOTED_BACKTICK_ESCAPE = re.compile(r"\\([\\$`\"])")
PARENTHESES = re.compile(
    r"[^()\\'\"`]+|\\.|'[^']*'|\"(?:[^\"\\]+|\\.)*+\"|`(?:[^`\\]+|\\.)*+`|(?P<paren>[()])", re.DOTALL
)


def dollar(scanner: WordScanner, start: int, *, quoted: bool) -> tuple[Segment | None, int]:
    """The expansion that the `$` at `start` begins and the position behind it; `None` when it is a plain dollar."""
    text = scanner.text
    position = _skip_continuations(text, start + 1)
    char = text[position : position + 1]
    name = NAME.match(text, position)
    if name is not None:
        return _variable(scanner, start, name)
    if char == "{":
        return braced_parameter(scanner, start, position, quoted=quoted)
    if char == "(":
        return _substitution(scanner, start, position)
    if char == "?":
        return Parameter("?", span=scanner.source.span(start, position + 1)), position + 1
    if char == "[":
        raise refuse("arithmetic-expansion", span=scanner.source.span(start, position + 1), text="$[…]")
    if char and char in SPECIAL:
        case = "positional" if char in "123456789@*#" else "special"
        raise refuse("parameter-expansion", case, scanner.source.span(start, position + 1), text="$" + char)
    if not quoted and char == "'":
        return _ansi_c(scanner, start, position)
    if not quoted and char == '"':
        return scanner.double_quoted(position)
    return None, start + 1


def _variable(scanner: WordScanner, start: int, match: re.Match[str]) -> tuple[Parameter, int]:
    name = match[0].replace("\\\n", "")
    span = scanner.source.span(start, match.end())
    check_variable(name, span, "$" + name)
    return Parameter(name, span=span), match.end()


def _ansi_c(scanner: WordScanner, start: int, position: int) -> tuple[Quoted, int]:
    match = ANSI_C.match(scanner.text, position)
    if match is None:
        raise scanner.unclosed("$'…", start, "'")
    return Quoted(decode_ansi_c(match[1]), scanner.source.span(start, match.end())), match.end()


def _substitution(scanner: WordScanner, start: int, position: int) -> tuple[CommandSub, int]:
    source = scanner.source
    opening = source.span(start, position + 1)
    if is_arithmetic(scanner.text, position + 1):
        raise refuse("arithmetic-expansion", span=opening, text="$((…))")
    source.nesting.enter(opening, substitution=True)
    body, end = source.parse_body(source, position + 1, ")", start)
    source.nesting.leave(substitution=True)
    return _command_sub(scanner, body, scanner.text[position + 1 : end - 1], start, end), end


def backticks(scanner: WordScanner, start: int, *, quoted: bool) -> tuple[CommandSub, int]:
    """The substitution between the backtick at `start` and the next unescaped one, and the position behind it."""
    source, text = scanner.source, scanner.text
    match = BACKTICK_BODY.match(text, start + 1)
    end = match.end() if match is not None else len(text)
    if not text.startswith("`", end):
        raise scanner.unclosed("`…", start, "`")
    body, offsets = _unescape(text[start + 1 : end], source.offsets[start + 1 : end + 1], quoted=quoted)
    source.nesting.enter(source.span(start, end + 1), substitution=True)
    tree, _ = source.parse_body(source.inside(body, offsets), 0, "", 0)
    source.nesting.leave(substitution=True)
    return _command_sub(scanner, tree, body, start, end + 1), end + 1


def _unescape(body: str, offsets: Sequence[int], *, quoted: bool) -> tuple[str, Sequence[int]]:
    """The text between backticks as the substitution reads it, with the offset of each character left."""
    if "\\" not in body:
        return body, offsets
    parts: list[str] = []
    kept: list[int] = []
    end = 0
    for match in (QUOTED_BACKTICK_ESCAPE if quoted else BACKTICK_ESCAPE).finditer(body):
        parts += body[end : match.start()], match[1]
        kept += offsets[end : match.start()]
        kept.append(offsets[match.start()])
        end = match.end()
    parts.append(body[end:])
    kept += offsets[end:]
    return "".join(parts), kept


def _command_sub(scanner: WordScanner, body: List, text: str, start: int, end: int) -> CommandSub:
    span = scanner.source.span(start, end)
    if _reads_a_file(body):
        raise refuse("malformed-syntax", "file-substitution", span)
    return CommandSub(body, text, span)


def _reads_a_file(body: List) -> bool:
    """`$(< file)`, which bash treats as `$(cat file)` although it runs no command."""
    if len(body.items) != 1 or len(body.items[0].pipelines) != 1:
        return False
    match body.items[0].pipelines[0].commands:
        case [Simple(assignments=(), words=(), redirects=[Redirect(operator="<")])]:
            return True
    return False


def is_arithmetic(text: str, position: int) -> bool:
    """Whether the `(` before `position` begins a `((` that is closed by `))`, rather than two parentheses."""
    position = _skip_continuations(text, position)
    if not text.startswith("(", position):
        return False
    depth = 0
    position += 1
    while match := PARENTHESES.match(text, position):
        position, paren = match.end(), match["paren"]
        if paren == "(":
            depth += 1
        elif paren == ")":
            if depth == 0:
                return text.startswith(")", position)
            depth -= 1
    return False


def _skip_continuations(text: str, position: int) -> int:
    match = CONTINUATIONS.match(text, position)
    return match.end() if match is not None else position
