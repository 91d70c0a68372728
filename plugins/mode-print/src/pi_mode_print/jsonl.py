"""JSON mode: a session header, every event, and a result, one object a line."""

import json
import sys
from contextlib import redirect_stdout
from typing import Any, TextIO

from pi_api import ModeRun
from pi_api.wire import WIRE_EVENTS, to_wire

AGENT_ERROR = 1
FAILED = ("error", "aborted")


async def run_json(run: ModeRun) -> int:
    """Send the prompts in order; 1 when the last answer failed or was aborted.

    What plugins print by themselves goes to standard error: every line of standard output is JSON.
    """
    session, out = run.session, sys.stdout
    for event_type in WIRE_EVENTS:
        session.bus.on(event_type, lambda event: _print(out, to_wire(event)), plugin="mode-print")
    _print(out, json.loads(session.tree.header.line))
    with redirect_stdout(sys.stderr):
        try:
            await session.start()
            for prompt in run.prompts:
                await session.prompt(prompt.text, images=prompt.images, source="print")
        finally:
            usage, answer = session.usage, session.last_answer
            await session.close()
            _print(out, {"type": "result", "usage": usage.to_json()})
    return AGENT_ERROR if answer is not None and answer.stop_reason in FAILED else 0


def _print(out: TextIO, record: dict[str, Any]) -> None:
    # ASCII escapes keep lone surrogates and U+2028 harmless to every reader of lines.
    out.write(json.dumps(record, separators=(",", ":")) + "\n")
    out.flush()
