"""One tool call: looked up, prepared, checked, allowed, run."""

import asyncio
from copy import deepcopy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from pi_api.events import ToolGate, ToolResultReady
from pi_api.messages import Image, Text, ToolCall
from pi_api.tool import Tool, ToolContext, ToolError, ToolResult
from pi_kernel.bus import Bus

from pi_agent.schema import Schemas

MAX_ERROR_TEXT = 4000
"""Characters of an exception's text that the model is shown."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that may run, with its checked input."""

    call: ToolCall
    tool: Tool
    input: dict[str, Any]


async def prepared(call: ToolCall, tools: dict[str, Tool], schemas: Schemas, bus: Bus) -> Ready | ToolResult:
    """The call ready to run, or the result that says why it is not."""
    tool = tools.get(call.name)
    if tool is None:
        return failure(_unknown(call.name, sorted(tools)))
    arguments: Any = deepcopy(call.arguments)
    if not isinstance(arguments, dict):
        return failure(f"Wrong arguments for the tool {tool.name!r}: they must be an object, not {arguments!r:.200}")
    if tool.prepare is not None:
        try:
            arguments = tool.prepare(arguments)
        except (Exception, SystemExit) as error:
            return failure(_raised(tool.name, error))
    if problem := schemas.problem(tool, arguments):
        return failure(problem)
    block = await bus.emit(ToolGate(call.id, tool.name, arguments))
    if block is not None:
        return failure(f"This call of {tool.name!r} was not allowed: {block.reason}")
    if problem := schemas.problem(tool, arguments):
        return failure(f"A plugin changed this call and made it invalid.\n{problem}")
    return Ready(call, tool, arguments)


async def run_call(ready: Ready, context: ToolContext, bus: Bus) -> ToolResult:
    """Run a call; whatever the tool raises becomes a result. Ends early only when it is cancelled."""
    result = checked(ready.tool.name, await _answer(ready, context))
    event = await bus.emit(ToolResultReady(ready.call.id, ready.tool.name, ready.input, result))
    return checked(ready.tool.name, event.result)


async def _answer(ready: Ready, context: ToolContext) -> Any:
    name = ready.tool.name
    try:
        return await ready.tool.run(ready.input, context)
    except ToolError as error:
        return failure(str(error) or f"The tool {name!r} refused this call and did not say why.")
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return failure(f"The tool {name!r} broke off its own work.")
    except (Exception, SystemExit) as error:
        return failure(_raised(name, error))


def checked(name: str, result: Any) -> ToolResult:
    """The result with what plugins tend to get wrong put right."""
    if not isinstance(result, ToolResult):
        return failure(f"The tool {name!r} answered with {type(result).__name__} instead of a ToolResult.")
    good: ToolResult = result
    content: Any = good.content
    if isinstance(content, str):
        good = replace(good, content=(Text(content),))
    elif not isinstance(content, tuple) or not all(isinstance(block, Text | Image) for block in content):
        blocks = tuple(block for block in content if isinstance(block, Text | Image)) if _iterable(content) else ()
        good = replace(good, content=blocks)
    if good.is_error and good.error_kind is None:
        good = replace(good, error_kind="tool_failure")
    return good


def failure(text: str) -> ToolResult:
    """The result of a call that could not be carried out."""
    return ToolResult.text(text, is_error=True, error_kind="tool_failure")


def _iterable(value: object) -> bool:
    return hasattr(value, "__iter__")


def _raised(name: str, error: BaseException) -> str:
    return f"The tool {name!r} failed: {type(error).__name__}: {error}"[:MAX_ERROR_TEXT]


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"There is no tool {name!r}.{hint} The tools are: {', '.join(known) or 'none'}."
