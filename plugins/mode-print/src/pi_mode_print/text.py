"""Print mode: prompts in, the last answer's text out."""

import sys
from contextlib import redirect_stdout
from functools import partial
from typing import TextIO

from pi_api import ModeRun, Text
from pi_api.events import Notice

AGENT_ERROR = 1
FAILED = ("error", "aborted")


async def run_text(run: ModeRun) -> int:
    """Send the prompts in order and print each text block of the last answer; 1 when it failed or was aborted.

    What slash commands say is printed too. What plugins print by themselves goes to standard error.
    """
    session = run.session
    session.bus.on(Notice, partial(_show, sys.stdout), plugin="mode-print")
    with redirect_stdout(sys.stderr):
        try:
            await session.start()
            for prompt in run.prompts:
                await session.prompt(prompt.text, images=prompt.images, source="print")
        finally:
            answer = session.last_answer
            await session.close()
    if answer is None:
        return 0
    for block in answer.content:
        if isinstance(block, Text):
            print(block.text)
    if answer.stop_reason in FAILED:
        print(f"pi: error: {answer.error_message or answer.stop_reason}", file=sys.stderr)
        return AGENT_ERROR
    return 0


def _show(answers: TextIO, notice: Notice) -> None:
    if notice.level == "info" and "command" in notice.details:
        print(notice.text, file=answers)
    elif notice.level != "info":
        print(f"pi: {notice.level}: {notice.text}", file=sys.stderr)
