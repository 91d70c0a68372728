"""Child processes done once, properly: start, stream, stop the whole tree, say how it ended.

Values and pure functions load at once; what needs asyncio loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pi_process.accumulator import OutputAccumulator, Retained
from pi_process.decoding import DecodePolicy, StreamDecoder, system_policy
from pi_process.environment import child_environment, merge_environment, prepend_path
from pi_process.errors import (
    BadWorkingDirectory,
    CommandLineTooLong,
    InvalidArgument,
    LaunchError,
    ProcessError,
    ProgramNotExecutable,
    ProgramNotFound,
    StdinClosed,
    UnsafeBatchCommand,
)
from pi_process.outcome import Cause, Outcome
from pi_process.spawn import Chunk, Drain, Leftovers, Sink, Spawn, Stdin, Stream
from pi_process.trees import kill_all, kill_all_on_signals

if TYPE_CHECKING:
    from pi_process.process import Process, start
    from pi_process.running import Cancel, Captured, capture, run

_ASYNCHRONOUS = {
    "Process": "process",
    "start": "process",
    "Cancel": "running",
    "Captured": "running",
    "capture": "running",
    "run": "running",
}

__all__ = [
    "BadWorkingDirectory",
    "Cancel",
    "Captured",
    "Cause",
    "Chunk",
    "CommandLineTooLong",
    "DecodePolicy",
    "Drain",
    "InvalidArgument",
    "LaunchError",
    "Leftovers",
    "Outcome",
    "OutputAccumulator",
    "Process",
    "ProcessError",
    "ProgramNotExecutable",
    "ProgramNotFound",
    "Retained",
    "Sink",
    "Spawn",
    "Stdin",
    "StdinClosed",
    "Stream",
    "StreamDecoder",
    "UnsafeBatchCommand",
    "capture",
    "child_environment",
    "kill_all",
    "kill_all_on_signals",
    "merge_environment",
    "prepend_path",
    "run",
    "start",
    "system_policy",
]


def __getattr__(name: str) -> Any:
    if name not in _ASYNCHRONOUS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_ASYNCHRONOUS[name]}"), name)
    globals()[name] = value
    return value
