"""The tool: one command in, its output and status out."""

import re
import time
from importlib.resources import files
from typing import Any

from pi_api import Tool, ToolContext, ToolResult
from pi_api.shell import ShellOutcome, ShellRequest
from pi_api.truncate import MAX_LINES, truncate_middle
from pi_process import OutputAccumulator

from pi_tool_bash.shell import Shell, settings_of

MAX_TIMEOUT = 3600.0
PREVIEW_EVERY, PREVIEW_LINES, PREVIEW_CHARS = 0.1, 5, 8 * 1024

PARAMETERS = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "minLength": 1, "description": "the bash command to run"},
        "timeout": {
            "type": "number",
            "minimum": 0.1,
            "maximum": MAX_TIMEOUT,
            "description": "seconds it may take; 120 by default",
        },
    },
    "required": ["command"],
    "additionalProperties": False,
}

_SEARCHES = re.compile(r"(?:^|[|;]\s*)(?:rg|grep|egrep|fgrep)\b[^|;&\n]*$")


def bash_tool() -> Tool:
    """The tool as it is offered to the model."""
    return Tool(
        name="bash",
        label="bash",
        description=files("pi_tool_bash").joinpath("bash.md").read_text("utf-8"),
        parameters=PARAMETERS,
        run=run,
        snippet="run a bash command",
        guidelines=("Use bash for builds, tests, git and anything the other tools do not do.",),
        execution="sequential",
    )


async def run(params: dict[str, Any], context: ToolContext) -> ToolResult:
    """Run `params["command"]`; a refusal, timeout or death of the shell is an error that carries the output so far."""
    shell = context.state(Shell).opened(context.session)
    timeout = params.get("timeout") or settings_of(context.session).timeout or None
    # No output of more than MAX_LINES lines is shorter than this, so whatever is cut can be found whole in the file.
    output = OutputAccumulator(spill_over=MAX_LINES)
    shown = 0.0

    async def show(data: bytes) -> None:
        nonlocal shown
        output.append(data)
        if time.monotonic() - shown >= PREVIEW_EVERY:
            shown = time.monotonic()
            await context.update(ToolResult.text(output.preview(PREVIEW_LINES, PREVIEW_CHARS)))

    outcome = await shell.run(ShellRequest(params["command"], timeout), show)
    output.finish()
    return result_of(params["command"], outcome, output, timeout)


def result_of(command: str, outcome: ShellOutcome, output: OutputAccumulator, timeout: float | None) -> ToolResult:
    """What the model is told of a finished command."""
    text, cut = _bounded(output)
    details = {
        "exitCode": outcome.exit_code,
        "cause": outcome.cause,
        "cwd": str(outcome.cwd),
        "tier": outcome.tier,
        **({"refusal": outcome.refusal} if outcome.refusal else {}),
        **({"truncated": True, "fullOutputPath": str(output.spill_path)} if cut else {}),
        **outcome.details,
    }
    ended = _how_it_ended(outcome, timeout)
    if outcome.cause == "refused":
        return ToolResult.text(_lines(text, outcome.note), details=details, is_error=True, error_kind="tool_failure")
    if outcome.cause == "exited" and (outcome.exit_code == 0 or _found_nothing(command, outcome, output)):
        body = text or ("(no matches)" if outcome.exit_code else "(no output)")
        return ToolResult.text(_lines(body, outcome.note), details=details)
    kind = "operation_outcome" if outcome.cause == "exited" else "tool_failure"
    body = _lines(text, ended, f"cwd: {outcome.cwd}", outcome.note)
    return ToolResult.text(body, details=details, is_error=True, error_kind=kind)


def _bounded(output: OutputAccumulator) -> tuple[str, bool]:
    kept = output.retained()
    cut = truncate_middle(kept.joined())
    if kept.complete and not cut.truncated:
        if output.spill_path:
            output.spill_path.unlink(missing_ok=True)
        return cut.content.rstrip("\n"), False
    where = f"the whole is in {output.spill_path}" if output.spill_path else output.spill_error or "the rest is gone"
    note = f"[{output.total_lines} lines, {output.total_bytes} bytes of output; beginning and end shown; {where}]"
    return f"{cut.content.rstrip()}\n{note}", True


def _how_it_ended(outcome: ShellOutcome, timeout: float | None) -> str:
    match outcome.cause:
        case "timeout":
            return f"Timed out after {timeout:g} s; give a longer timeout, or make the command end sooner."
        case "cancelled":
            return "Cancelled."
        case "launch_failed":
            return "The shell could not be started."
        case "died":
            return "The shell died before it could report a status."
        case _:
            return f"Exit status {outcome.exit_code}."


def _found_nothing(command: str, outcome: ShellOutcome, output: OutputAccumulator) -> bool:
    """A search that ended with 1 and printed nothing has found nothing; no failure, if it was not behind `&&`."""
    last = command.strip().splitlines()[-1] if command.strip() else ""
    return outcome.exit_code == 1 and output.total_bytes == 0 and "&&" not in last and bool(_SEARCHES.search(last))


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
