"""The guard against searches that would read a whole disk or home directory."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

from pi_shell import constant, program_name
from pi_shell.nodes import Compound, DoubleQuoted, List, Parameter, Quoted, Raw, Redirect, Tilde, Word
from pi_shell.queries import Place, simple_commands

VALUED = {
    "grep": frozenset({"-A", "-B", "-C", "-d", "-D", "-e", "-f", "-m", "--include", "--exclude", "--exclude-dir"}),
    "rg": frozenset({"-A", "-B", "-C", "-d", "-e", "-f", "-g", "-j", "-m", "-M", "-r", "-t", "-T", "--glob", "--type"}),
    "fd": frozenset({"-d", "-e", "-E", "-t", "-x", "-X", "--max-depth", "--extension", "--exclude", "--type"}),
}
"""Options that take the next word."""
LIMITS = frozenset({"-maxdepth", "-d", "-m", "--max-depth", "--maxdepth", "--max-count", "--max-results"})
SUMMARIES = frozenset({"head", "tail", "wc"})
"""What a search may be piped into without flooding anybody."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where relative and home paths lead, by the path rules of one system."""

    cwd: str
    home: str | None
    windows: bool

    @property
    def rules(self) -> ModuleType:
        return ntpath if self.windows else posixpath


def broad_search(tree: List, around: Surroundings) -> str | None:
    """Why a command would search through far too much, and what to write instead; `None` when it would not."""
    for place in simple_commands(tree):
        words = [constant(word) for word in place.command.words]
        if place.name is None or _is_bounded(place, words):
            continue
        for operand in _roots(program_name(place.name), place.command.words, words):
            root = _absolute(operand, around)
            if root is not None and _is_broad(root, around):
                return (
                    f"{place.name} would search all of {root}: name a narrower folder, limit it (find -maxdepth 2, "
                    "| head), or send what it finds to a file with > file"
                )
    return None


def _is_bounded(place: Place, words: Sequence[str | None]) -> bool:
    if any(word is not None and word.partition("=")[0] in LIMITS for word in words):
        return True
    if not place.last_in_pipeline:
        last = place.pipeline.commands[-1]
        following = constant(last.words[0]) if hasattr(last, "words") and last.words else None
        if following in SUMMARIES:
            return True
    redirects = list(place.command.redirects)
    for outer in place.enclosing:
        redirects += outer.redirects if isinstance(outer, Compound) else ()
    return any(isinstance(redirect, Redirect) and redirect.fd == 1 for redirect in redirects)


def _roots(program: str, words: Sequence[Word], texts: Sequence[str | None]) -> Iterator[Word | None]:
    """The folders a search starts from; `None` is the working directory."""
    match program:
        case "find":
            found = list(_until_expression(words[1:], texts[1:]))
        case "grep" | "egrep" | "fgrep" if _is_recursive(texts[1:]):
            found = list(_operands("grep", words, texts))[_pattern_words(texts) :]
        case "rg":
            found = list(_operands("rg", words, texts))[_pattern_words(texts) :]
        case "fd":
            found = list(_operands("fd", words, texts))[1:]
        case _:
            return
    yield from found
    if not found:
        yield None


def _until_expression(words: Sequence[Word], texts: Sequence[str | None]) -> Iterator[Word]:
    for word, text in zip(words, texts, strict=True):
        if text is not None and (text.startswith("-") or text in ("(", "!")):
            if text in ("-H", "-L", "-P"):
                continue
            return
        yield word


def _is_recursive(texts: Sequence[str | None]) -> bool:
    return any(
        text in ("--recursive", "--dereference-recursive")
        or (text.startswith("-") and not text.startswith("--") and any(letter in text for letter in "rR"))
        for text in texts
        if text is not None
    )


def _pattern_words(texts: Sequence[str | None]) -> int:
    """How many operands are patterns: none when an option gives it."""
    return 0 if any(text in ("-e", "-f", "--files") for text in texts) else 1


def _operands(program: str, words: Sequence[Word], texts: Sequence[str | None]) -> Iterator[Word]:
    position = 1
    while position < len(words):
        text = texts[position]
        if text is not None and text.startswith("-") and text != "-":
            position += 2 if text in VALUED[program] else 1
            continue
        yield words[position]
        position += 1


def _absolute(word: Word | None, around: Surroundings) -> str | None:
    """Where an operand leads, or `None` when it is not known before the command runs."""
    text = "." if word is None else _text(word, around)
    if text is None:
        return None
    path: str = around.rules.normpath(around.rules.join(around.cwd, text))
    return path


def _text(word: Word, around: Surroundings) -> str | None:
    parts: list[str | None] = []
    flat = [
        inner
        for segment in word.segments
        for inner in (segment.segments if isinstance(segment, DoubleQuoted) else (segment,))
    ]
    for segment in flat:
        if isinstance(segment, Raw | Quoted):
            parts.append(segment.text)
        elif isinstance(segment, Tilde) or (isinstance(segment, Parameter) and segment.name == "HOME"):
            parts.append(around.home)
        else:
            parts.append(constant(Word((segment,))))
    return None if None in parts else "".join(part for part in parts if part is not None)


def _is_broad(root: str, around: Surroundings) -> bool:
    """A root of the file system, a home directory or what holds it, or what holds the working directory."""
    folded = around.rules.normcase(root)
    if around.rules.dirname(root) == root:
        return True
    for inner, strictly in ((around.home, False), (around.cwd, True)):
        if inner is None:
            continue
        path = around.rules.normcase(around.rules.normpath(inner))
        if folded == path and not strictly:
            return True
        if path.startswith(folded.rstrip(around.rules.sep) + around.rules.sep):
            return True
    return False
