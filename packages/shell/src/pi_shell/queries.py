"""Questions that routing and policy ask about a tree."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pi_shell.constants import constant
from pi_shell.nodes import CommandSub, Compound, List, Simple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pi_shell.nodes import Node, Pipeline

Joint: TypeAlias = Literal["&&", "||", ";", ""]
"""What joins two pipelines of a list; `""` is the list's beginning or end."""


@dataclass(frozen=True, slots=True)
class Place:
    """A simple command and where it stands.

    `index` counts within its `pipeline`. `before` and `after` join that pipeline to its neighbours. `enclosing` are the
    compound commands and command substitutions around it, the outermost first.
    """

    command: Simple
    pipeline: Pipeline
    index: int
    before: Joint
    after: Joint
    enclosing: tuple[Compound | CommandSub, ...]

    @property
    def first_in_pipeline(self) -> bool:
        """Whether it reads the pipeline's own input."""
        return self.index == 0

    @property
    def last_in_pipeline(self) -> bool:
        """Whether its status is the pipeline's."""
        return self.index == len(self.pipeline.commands) - 1

    @property
    def last_in_list(self) -> bool:
        """Whether it is the last command of its list: its status is the list's whenever it runs."""
        return self.last_in_pipeline and self.after == ""

    @property
    def in_substitution(self) -> bool:
        """Whether its output is captured by a command substitution."""
        return any(isinstance(outer, CommandSub) for outer in self.enclosing)

    @property
    def name(self) -> str | None:
        """The command word when it is known before expansion."""
        return constant(self.command.words[0]) if self.command.words else None


def simple_command(tree: List) -> tuple[str, ...] | None:
    """The words of a tree that is exactly one simple command with nothing to expand, or `None`.

    `None` too for an assignment, a redirection, a negation, a glob, a tilde, or no words at all.
    """
    if len(tree.items) != 1 or len(tree.items[0].pipelines) != 1:
        return None
    pipeline = tree.items[0].pipelines[0]
    command = pipeline.commands[0]
    if pipeline.negated or len(pipeline.commands) != 1 or not isinstance(command, Simple):
        return None
    if command.assignments or command.redirects or not command.words:
        return None
    words = [constant(word) for word in command.words]
    return None if None in words else tuple(word for word in words if word is not None)


def simple_commands(tree: List) -> Iterator[Place]:
    """Every simple command of `tree` with its place, in source order; substitutions come behind their command."""
    return _in_list(tree, ())


def _in_list(tree: List, enclosing: tuple[Compound | CommandSub, ...]) -> Iterator[Place]:
    for position, item in enumerate(tree.items):
        opening: Joint = ";" if position else ""
        closing: Joint = ";" if position + 1 < len(tree.items) else ""
        joints: list[Joint] = [opening, *item.operators, closing]
        for pipeline, before, after in zip(item.pipelines, joints, joints[1:], strict=False):
            yield from _in_pipeline(pipeline, before, after, enclosing)


def _in_pipeline(
    pipeline: Pipeline, before: Joint, after: Joint, enclosing: tuple[Compound | CommandSub, ...]
) -> Iterator[Place]:
    for index, command in enumerate(pipeline.commands):
        if isinstance(command, Simple):
            yield Place(command, pipeline, index, before, after, enclosing)
            inner = enclosing
        else:
            inner = (*enclosing, command)
        yield from _below(command, inner)


def _below(node: Node, enclosing: tuple[Compound | CommandSub, ...]) -> Iterator[Place]:
    for child in children(node):
        if isinstance(child, List):
            yield from _in_list(child, enclosing)
        else:
            yield from _below(child, (*enclosing, child) if isinstance(child, CommandSub) else enclosing)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below `node`, in source order; works for an extension's nodes as well."""
    kind: Any = type(node)
    for name in _node_fields(kind):
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if is_dataclass(item):
                yield item  # type: ignore[misc]


@cache
def _node_fields(kind: Any) -> tuple[str, ...]:
    skipped = ("span", "expression")
    return tuple(field.name for field in fields(kind) if field.name not in skipped)
