"""Decides which words may not be a command: nested shells, builtins outside the contract, POSIX scripts.

The parser asks for words that are known before expansion; the executor asks again for the words it expanded and for the
executable it resolved. The words themselves are in `refused_words.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pi_shell.refusals import Refusal, refuse
from pi_shell.refused_words import BUILTINS, NAMED, POWERSHELLS, SHELLS, VERSIONED, WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pi_shell.refused_words import Wrapper

EXTENSIONS = (".exe", ".com", ".cmd", ".bat")
VERSION = re.compile(r"-?(?:preview|[0-9][0-9.]*)$")
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def program_name(word: str) -> str:
    """The name a program is known by: no folder, no extension, lower case (`C:\\…\\CMD.EXE` → `cmd`)."""
    name = word.replace("\\", "/").rpartition("/")[2].lower().rstrip(". ")
    return name[:-4] if name.endswith(EXTENSIONS) else name


def is_shell(word: str) -> bool:
    """Whether `word`, a command word or the path of a resolved executable, names a shell."""
    return _shell(word) is not None


def runs_another_command(word: str | None) -> bool:
    """Whether `word` is a program whose arguments name the command it runs (`env`, `xargs`, `timeout` …)."""
    return word is not None and program_name(word) in WRAPPERS


def refuse_command(words: Sequence[str | None], *, allowed: frozenset[str] = frozenset()) -> Refusal | None:
    """The refusal for a command of these words, or `None`.

    `None` among the words is one that is not known yet; nothing behind it is judged when the command's place depends
    on it. `allowed` are command words that an extension implements. The command behind `env`, `xargs`, `nohup`,
    `timeout` … is judged like a command of its own.
    """
    if not words or words[0] is None:
        return None
    word = words[0]
    if word not in allowed:
        if word in NAMED:
            id, case = NAMED[word]
            return refuse(id, case, word=word)
        if word in BUILTINS:
            return refuse("unsupported-builtin", word=word, instead=BUILTINS[word])
    return _refuse_program(word) or next(filter(None, map(_refuse_program, _wrapped(words))), None)


def _refuse_program(word: str) -> Refusal | None:
    name = _shell(word)
    if name is not None:
        case = "powershell" if name in POWERSHELLS else ""
        return refuse("nested-shell", case, word=word)
    if word.lower().endswith(".sh"):
        return refuse("posix-script", word=word)
    if word.startswith("/bin/"):
        return refuse("posix-script", "path", word=word, instead=word.rpartition("/")[2] or "its name")
    return None


def _shell(word: str) -> str | None:
    name = program_name(word)
    if name in SHELLS or name in POWERSHELLS:
        return name
    bare = VERSION.sub("", name)
    return bare if bare in VERSIONED else None


def _wrapped(words: Sequence[str | None]) -> Iterator[str]:
    """The command words behind a wrapper, and behind a wrapper that it runs, and so on."""
    start = 0
    while start < len(words):
        wrapper = WRAPPERS.get(program_name(words[start] or ""))
        if wrapper is None:
            return
        yield from _split_values(words[start + 1 :], wrapper)
        start = _command_position(words, start + 1, wrapper)
        if start < len(words):
            yield words[start] or ""


def _command_position(words: Sequence[str | None], position: int, wrapper: Wrapper) -> int:
    """Where the command of a wrapper stands whose own words begin at `position`."""
    operands = wrapper.operands
    while position < len(words):
        word = words[position]
        if word is None:
            return len(words)
        if word == "--":
            position += 1
            break
        if word in wrapper.values:
            position += 2
        elif word.startswith("-") or (wrapper.assign and ASSIGNMENT.match(word)):
            position += 1
        elif operands:
            operands -= 1
            position += 1
        else:
            break
    return position + operands if position < len(words) else position


def _split_values(words: Sequence[str | None], wrapper: Wrapper) -> Iterator[str]:
    """The first words of command lines given as an option's value (`env -S 'bash -c x'`)."""
    for index, word in enumerate(words):
        for option in wrapper.split:
            if word is None or not word.startswith(option):
                continue
            value = word[len(option) :].lstrip("=") or (words[index + 1] if index + 1 < len(words) else "") or ""
            yield from value.split()[:1]
