"""`pi shell --jsonl`: a machine's side of the shell, one request and one answer a line, each on its own.

Request: `{"id", "script", "cwd"?, "env"?, "stdin"?}`. Answer: `{"id", "stdout_b64", "exit", "stderr", "tier",
"refusal"}`; `refusal` is an identifier or null, `stderr` is text that ends with what pi itself has to say.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

from pi_api.shell import ShellRequest

from pi_shell_router.front import Front, status_of
from pi_shell_router.session import RoutedSession


def serve(front: Front) -> int:
    """Answer requests until the end of the input; 0, or 1 when a line was no request."""
    return asyncio.run(_serve(front))


async def _serve(front: Front) -> int:
    session, status = front.open(), 0
    try:
        while line := await asyncio.to_thread(sys.stdin.buffer.readline):
            if not line.strip():
                continue
            try:
                answer = await answered(session, json.loads(line), front.timeout)
            except (ValueError, KeyError, TypeError) as error:
                answer, status = {"id": None, "error": f"no request: {type(error).__name__}: {error}"}, 1
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    finally:
        await session.close()
    return status


async def answered(session: RoutedSession, request: dict[str, Any], timeout: float | None) -> dict[str, Any]:
    """The answer to one request. Raises `KeyError` or `TypeError` when it is none."""
    output = bytearray()

    async def collect(data: bytes) -> None:
        output.extend(data)

    await session.reset(Path(request.get("cwd") or os.getcwd()), request.get("env") or dict(os.environ))
    stdin = (request.get("stdin") or "").encode("utf-8", "surrogateescape")
    outcome = await session.run(ShellRequest(request["script"], timeout, stdin=stdin, split=True), collect)
    stderr = outcome.stderr.decode("utf-8", "replace")
    return {
        "id": request.get("id"),
        "stdout_b64": base64.b64encode(output).decode("ascii"),
        "exit": status_of(outcome),
        "stderr": stderr + (f"pi shell: {outcome.note}\n" if outcome.note else ""),
        "tier": outcome.tier,
        "refusal": outcome.refusal,
    }
