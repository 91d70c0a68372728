"""JSON mode: a session header, every event, and a result, one object a line."""

import asyncio
import errno
import json
import sys
from contextlib import redirect_stdout
from typing import Any, TextIO

from pi_api import ModeRun, Session
from pi_api.wire import WIRE_EVENTS, to_wire

AGENT_ERROR = 1
FAILED = ("error", "aborted")


async def run_json(run: ModeRun) -> int:
    """Send the prompts in order; 1 when the last answer failed or was aborted.

    What plugins print by themselves goes to standard error: every line of standard output is JSON. A reader that goes
    away aborts the run and raises `BrokenPipeError` when the session is closed.
    """
    session, reader = run.session, _Reader(sys.stdout, run.session)
    for event_type in WIRE_EVENTS:
        session.bus.on(event_type, lambda event: reader.tell(to_wire(event)), plugin="mode-print")
    reader.tell(json.loads(session.tree.header.line))
    with redirect_stdout(sys.stderr):
        try:
            await session.start()
            for prompt in run.prompts:
                if reader.gone is None:
                    await session.prompt(prompt.text, images=prompt.images, source="print")
        finally:
            usage, answer = session.usage, session.last_answer
            await session.close()
            reader.tell({"type": "result", "usage": usage.to_json()})
    if reader.gone is not None:
        await reader.gone
        raise BrokenPipeError(errno.EPIPE, "the reader of standard output is gone")
    return AGENT_ERROR if answer is not None and answer.stop_reason in FAILED else 0


class _Reader:
    """Whoever reads standard output; `gone` is the abort of the run that nobody reads any more."""

    def __init__(self, out: TextIO, session: Session) -> None:
        self.gone: asyncio.Task[None] | None = None
        self._out, self._session = out, session

    def tell(self, record: dict[str, Any]) -> None:
        if self.gone is not None:
            return
        # ASCII escapes keep lone surrogates and U+2028 harmless to every reader of lines.
        line = json.dumps(record, separators=(",", ":")) + "\n"
        try:
            self._out.write(line)
            self._out.flush()
        except BrokenPipeError:
            # A handler cannot await the end of the run that it is part of.
            self.gone = asyncio.get_running_loop().create_task(self._session.abort())
