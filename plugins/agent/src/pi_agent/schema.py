"""Checking tool arguments against the tool's JSON Schema, with errors that a model can act on."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pi_api.tool import Tool

Check = Callable[[dict[str, Any]], object]

MAX_EXPECTED = 320
MAX_RECEIVED = 200
MAX_ARGUMENTS = 2000


class Schemas:
    """Compiled schemas, one per tool, compiled when the tool is first called."""

    def __init__(self) -> None:
        self._checks: dict[int, tuple[Tool, Check]] = {}

    def problem(self, tool: Tool, arguments: dict[str, Any]) -> str | None:
        """Why the arguments do not fit, or `None`; missing arguments that have a default are filled in."""
        known = self._checks.get(id(tool))
        if known is None:
            # The tool is kept beside its check, so that its id cannot be given to another one.
            known = self._checks[id(tool)] = (tool, compiled(tool.schema))
        from fastjsonschema import JsonSchemaValueException

        try:
            known[1](arguments)
        except JsonSchemaValueException as error:
            return explained(tool.name, error, arguments)
        return None


def compiled(schema: Mapping[str, Any]) -> Check:
    """A function that raises for a value that does not fit.

    A schema that cannot be compiled (tools from outside bring all sorts) accepts any object; the tool has the last
    word. References are never fetched.
    """
    import re

    import fastjsonschema

    try:
        check: Check = fastjsonschema.compile(
            dict(schema), handlers={"http": _refuse, "https": _refuse, "file": _refuse}
        )
    except (fastjsonschema.JsonSchemaException, re.error, TypeError, ValueError, KeyError, AttributeError, OSError):
        check = fastjsonschema.compile({"type": "object"})
    return check


def explained(tool: str, error: Any, arguments: Mapping[str, Any]) -> str:
    """Path, what was expected there, what was received, and all arguments."""
    path = ".".join(str(part) for part in error.path[1:]) or "the arguments"
    rule, wanted = error.rule, error.rule_definition
    received = error.value
    if rule == "required" and isinstance(wanted, list) and isinstance(received, Mapping):
        missing = [name for name in wanted if name not in received]
        expected = f"{_names(missing)}, which must be given"
    elif rule == "additionalProperties" and wanted is False and isinstance(received, Mapping):
        known = list((error.definition or {}).get("properties", {}))
        expected = f"only {_names(known)}" if known else "no arguments"
    else:
        expected = _clipped({rule: wanted}, MAX_EXPECTED)
    return (
        f"Wrong arguments for the tool {tool!r}.\n"
        f"At: {path}\nExpected: {expected}\nReceived: {_clipped(received, MAX_RECEIVED)}\n"
        f"All arguments: {_clipped(arguments, MAX_ARGUMENTS)}"
    )


def _names(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names)


def _clipped(value: Any, limit: int) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= limit else f"{shown[:limit]}..."


def _refuse(uri: str) -> Any:
    raise ValueError(f"the schema refers to {uri}, which is not fetched")
