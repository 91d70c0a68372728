"""The agent's loop: what one tool call costs beside the tool and the model, which do nothing here."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from pi_api import AGENT, SessionOptions, Tool, ToolContext, ToolResult, service
from pi_api.kinds import PROVIDERS, TOOLS
from pi_kernel import Kernel
from pi_kernel.tree import SessionTree
from pi_testkit import FAKE_MODEL, Call, FakeProvider, Turn

CALLS = (1, 100, 1_000)


async def nothing(params: dict[str, Any], context: ToolContext) -> ToolResult:
    """The tool."""
    return ToolResult.text("done")


def tables(rounds: int) -> Iterator[str]:
    """Measure whole runs of so many turns with one call each, by CPU time; the session is written to a file."""
    lines = ["### agent loop", "", "| tool calls | ms a run | µs a call |", "|--:|--:|--:|"]
    for calls in CALLS:
        used = median(asyncio.run(_run(calls)) for _ in range(max(3, rounds // 3)))
        lines.append(f"| {calls:,} | {used * 1e3:.1f} | {used / calls * 1e6:.0f} |")
    yield "\n".join(lines) + "\n"


async def _run(calls: int) -> float:
    with tempfile.TemporaryDirectory(prefix="pi-bench-") as folder:
        kernel = Kernel(env={"PI_CODING_AGENT_DIR": folder})
        kernel.load(only={"agent", "cli"})
        turns = [Turn(Call("nothing", {"number": number})) for number in range(calls)]
        kernel.registry.add(PROVIDERS, FakeProvider([*turns, "that was all"]), "bench")
        kernel.registry.add(TOOLS, Tool("nothing", "Do nothing.", {"number": {"type": "integer"}}, nothing), "bench")
        factory = service(kernel, AGENT)
        assert factory is not None
        tree = SessionTree.create(Path(folder, "session.jsonl"), folder)
        session = factory.create(kernel, SessionOptions(Path(folder), tree, FAKE_MODEL))
        await session.start()
        before = time.process_time()
        await session.prompt("go")
        used = time.process_time() - before
        await session.close()
        kernel.close()
        assert not kernel.failures, kernel.failures
        return used
