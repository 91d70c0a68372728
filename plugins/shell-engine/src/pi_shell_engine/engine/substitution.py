"""Command substitution: what a list of commands prints, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_shell_engine.engine.capture import Capture
from pi_shell_engine.engine.lists import run_subshell
from pi_shell_engine.engine.state import Streams

if TYPE_CHECKING:
    from pi_shell.nodes import List

    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State


def substitute(run: Run, body: List, state: State, io: Streams) -> str:
    """The output of `body`, run in a subshell, without the newlines at its end; NUL bytes are left out, as in bash."""
    inner = state.subshell()
    inner.loops = state.loops
    with Capture() as capture:
        status = run_subshell(run, body, inner, Streams(io.stdin, capture.descriptor, io.stderr))
        data = capture.content()
    state.substituted = status
    state.status = status
    if b"\0" in data:
        run.warn("command substitution: ignored null byte in input", io.stderr)
        data = data.replace(b"\0", b"")
    text = data.decode("utf-8", "surrogateescape")
    if run.paths.windows:
        text = text.replace("\r\n", "\n")
    return text.rstrip("\n")
