"""What host and engine say to each other; both sides use this module, so it imports next to nothing.

The host writes one JSON object a line to the engine's standard input:

    {"id", "command", "cwd", "env": {…}, "stdin"?: base64, "powershell"?: path, "split"?: true}

`env` may be left out when it is what the engine's last answer left behind. The engine's standard output carries the
output of commands, bytes as they are, and behind each command's a barrier with its id. The engine's standard error
carries one JSON object a line:

    {"id", "status", "cwd", "env": {name: text | null}, "refusal": null | {"id", "message"}, "stderr"?: base64}

`env` there is what changed. A command is over when both its barrier and its answer have arrived. JSON is ASCII only:
bytes that are not UTF-8 are lone surrogates, written `\\udcXX`.
"""

from __future__ import annotations

RS = b"\x1e"


def barrier(request_id: str) -> bytes:
    """The mark behind the output of a command."""
    return RS + request_id.encode("ascii") + RS
