"""Runs the commands of cases: in `pi shell --jsonl`, one warm process for all of them, and in bash."""

import base64
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_shell_engine.hints import PREFIX, rows

from tests.conformance.cases import Seen, fill, seen

DEADLINE = 120.0
KEPT = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")


def plain_env(home: Path) -> dict[str, str]:
    """The environment of an ordinary user whose home is `home`."""
    kept = {name: value for name, value in os.environ.items() if name.upper() in KEPT}
    return {**kept, "HOME": home.as_posix(), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the machine front says of one command; `refusal` is an identifier or `None`."""

    seen: Seen
    stderr: str
    tier: str
    refusal: str | None

    @property
    def hints(self) -> list[str]:
        """The keys of the hints that were given, in their order."""
        return [key for line in self.stderr.splitlines() if line.startswith(PREFIX) for key in _keys(line)]


def _keys(line: str) -> list[str]:
    """The rows of the hint catalogue that a line can come from."""
    texts = {key: re.split(r"\{\w+\}", row["text"]) for key, row in rows().items()}
    return [key for key, parts in texts.items() if re.fullmatch(PREFIX + ".*".join(map(re.escape, parts)), line)]


class Machine:
    """`pi shell --jsonl` on one tier."""

    def __init__(self, tier: str, home: Path) -> None:
        argv = [sys.executable, "-m", "pi_kernel", "shell", "--jsonl", "--tier", tier]
        env = {**os.environ, "PI_CODING_AGENT_DIR": str(home / "agent"), "HOME": str(home)}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, cwd=home, env=env)

    def run(self, command: str, box: Path, cwd: Path | None = None) -> Answer:
        """Run `command` in `box`, filled anew, or in another folder."""
        fill(box)
        request = {"id": command, "script": command, "cwd": str(cwd or box), "env": plain_env(box)}
        answer = self._ask(request)
        assert answer["id"] == command, answer
        out = base64.b64decode(answer["stdout_b64"])
        errors = [line for line in answer["stderr"].splitlines() if not line.startswith(PREFIX)]
        did = seen(box, out, answer["exit"], complains=bool(errors))
        return Answer(did, answer["stderr"], answer["tier"], answer["refusal"])

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        watchdog = threading.Timer(DEADLINE, self._process.kill)
        watchdog.start()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        finally:
            watchdog.cancel()
        assert line, f"pi shell ended while it ran {request['script']!r}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End it: it goes by itself when its requests end."""
        try:
            self._process.communicate(timeout=DEADLINE)
        finally:
            self._process.kill()
            self._process.wait()


def in_bash(bash: str, command: str, box: Path) -> Seen:
    """Run `command` in a real bash, from a file as people's scripts are."""
    fill(box)
    script = box.parent / "script"
    script.write_bytes(command.encode() + b"\n")
    argv = [bash, "--norc", "--noprofile", str(script)]
    done = subprocess.run(
        argv, cwd=box, env=plain_env(box), stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, check=False
    )
    return seen(box, done.stdout, done.returncode, complains=bool(done.stderr))
