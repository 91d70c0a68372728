"""What the system prompt says of tools."""

from collections.abc import Iterable, Sequence

from pi_api import Tool

READERS = frozenset({"read", "bash"})
"""Tools with which the model can open a file that a path leads to."""


def tool_list(tools: Iterable[Tool]) -> str:
    """A line for every tool that has one, by name."""
    lines = [f"- {tool.name}: {' '.join(tool.snippet.split())}" for tool in _sorted(tools) if tool.snippet.strip()]
    return "\n".join(["Tools:", *lines]) if lines else ""


def guidelines(tools: Iterable[Tool]) -> str:
    """What the tools want kept in mind, each thing once."""
    rules = dict.fromkeys(rule.strip() for tool in _sorted(tools) for rule in tool.guidelines if rule.strip())
    return "\n".join(["Guidelines:", *(f"- {rule}" for rule in rules)]) if rules else ""


def can_read(tools: Sequence[Tool]) -> bool:
    """Paths are of use to the model."""
    return any(tool.name in READERS for tool in tools)


def _sorted(tools: Iterable[Tool]) -> list[Tool]:
    return sorted(tools, key=lambda tool: tool.name)
