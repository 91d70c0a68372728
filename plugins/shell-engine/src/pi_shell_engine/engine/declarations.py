"""`export` and `unset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell import refuse, split_assignment

from pi_shell_engine.engine.directories import print_text
from pi_shell_engine.engine.expansion import NAME, expand_text, expand_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pi_shell.nodes import Word

    from pi_shell_engine.engine.environment import Variables
    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State, Streams

DECLARATIONS = ("export",)
"""Builtins whose `NAME=value` arguments expand as assignments do."""


def expand_declaration(run: Run, words: Sequence[Word], state: State, io: Streams) -> list[str]:
    """The arguments of a declaration: what is written as an assignment is neither split nor a pattern."""
    argv: list[str] = []
    for word in words:
        assignment = split_assignment(word)
        if assignment is not None:
            argv.append(f"{assignment.name}={expand_text(run, assignment.value, state, io)}")
        else:
            argv += expand_word(run, word, state, io)
    return argv


def export(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`export [NAME[=VALUE]…]`; every variable is exported anyway."""
    check_export(argv)
    words = list(argv[2:] if argv[1:2] == ["--"] else argv[1:])
    if not words or words == ["-p"]:
        lines = [f'declare -x {name}="{_escaped(value)}"\n' for name, value in sorted(variables.items())]
        print_text(run, io, "".join(lines).removesuffix("\n"), "export")
        return 0
    status = 0
    for word in words[words[0] == "-p" :]:
        name, assigned, value = word.partition("=")
        if not NAME.fullmatch(name):
            run.warn(f"export: `{word}': not a valid identifier", io.stderr)
            status = 1
        elif assigned:
            state.variables[name] = value
    return status


def _escaped(value: str) -> str:
    return "".join(f"\\{char}" if char in '"\\$`' else char for char in value)


def unset(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`unset [-v] NAME…`."""
    check_unset(argv)
    words, strict = list(argv[1:]), False
    while words and words[0] in ("-v", "--"):
        flag = words.pop(0)
        if flag == "--":
            break
        strict = True
    status = 0
    for name in words:
        if not NAME.fullmatch(name):
            # Without -v it could be a function's name, and there are no functions.
            if strict:
                run.warn(f"unset: `{name}': not a valid identifier", io.stderr)
                status = 1
        elif name in state.variables:
            del state.variables[name]
    return status


def check_export(words: Sequence[str | None]) -> None:
    """Raises the refusal that `export` with these words deserves."""
    for word in words[1:]:
        name = word.partition("=")[0] if word is not None else ""
        if name.endswith("+") and NAME.fullmatch(name[:-1]):
            raise refuse("malformed-syntax", "append-assignment", text=f"{name}=", word=name[:-1])
    first = words[1] if len(words) > 1 else None
    if first is not None and first.startswith("-") and first not in ("-p", "--"):
        raise refuse("unsupported-flag", word="export", text=first, instead="write export NAME=value, or unset NAME")


def check_unset(words: Sequence[str | None]) -> None:
    """Raises the refusal that `unset` with these words deserves."""
    for word in words[1:]:
        if word is None or word == "--" or not word.startswith("-"):
            return
        if word != "-v":
            raise refuse("unsupported-flag", word="unset", text=word, instead="write unset NAME")
