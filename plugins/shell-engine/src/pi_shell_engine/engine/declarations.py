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
    words = argv[2:] if argv[1:2] == ["--"] else argv[1:]
    if not words:
        lines = [f'declare -x {name}="{_escaped(value)}"\n' for name, value in sorted(variables.items())]
        print_text(run, io, "".join(lines).removesuffix("\n"), "export")
        return 0
    status = 0
    for word in words:
        name, assigned, value = word.partition("=")
        if not NAME.fullmatch(name):
            run.warn(f"export: `{word}': not a valid identifier", io.stderr)
            status = 1
            continue
        run.exported.add(name)
        if assigned:
            state.variables[name] = value
    return status


def _escaped(value: str) -> str:
    return "".join(f"\\{char}" if char in '"\\$`' else char for char in value)


def unset(run: Run, argv: Sequence[str], state: State, variables: Variables, io: Streams) -> int:
    """`unset NAME…`. What is no name of a variable could be a function's, and there are none: nothing to do."""
    check_unset(argv)
    for name in argv[2:] if argv[1:2] == ["--"] else argv[1:]:
        if name in state.variables:
            del state.variables[name]
    return 0


def check_export(words: Sequence[str | None]) -> None:
    """Raises the refusal that `export` with these words deserves."""
    for word in words[1:]:
        name = word.partition("=")[0] if word is not None else ""
        if name.endswith("+") and NAME.fullmatch(name[:-1]):
            raise refuse("malformed-syntax", "append-assignment", text=f"{name}=", word=name[:-1])
    first = words[1] if len(words) > 1 else None
    if first is not None and first.startswith("-") and first != "--":
        raise refuse("unsupported-flag", word="export", text=first, instead="write export NAME=value, or unset NAME")


def check_unset(words: Sequence[str | None]) -> None:
    """Raises the refusal that `unset` with these words deserves."""
    first = words[1] if len(words) > 1 else None
    if first is not None and first.startswith("-") and first != "--":
        raise refuse("unsupported-flag", word="unset", text=first, instead="write unset NAME")
