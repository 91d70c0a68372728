"""The engine's loop: one request after the other, each answered by its output, a barrier and a control line."""

from __future__ import annotations

import base64
import json
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pi_shell import Refusal, parse, refuse
from pi_shell.nodes import Simple

from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.engine import run as runs
from pi_shell_engine.engine.capture import Capture
from pi_shell_engine.engine.environment import changes, variables
from pi_shell_engine.engine.judging import judge
from pi_shell_engine.engine.lifeline import end_with
from pi_shell_engine.engine.lists import run_list
from pi_shell_engine.engine.output import Output
from pi_shell_engine.engine.run import Run
from pi_shell_engine.engine.state import ShellExit, State, Streams
from pi_shell_engine.paths import HERE
from pi_shell_engine.streams import write_all
from pi_shell_engine.wire import barrier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pi_shell.nodes import List

    from pi_shell_engine.builtins.interface import Registry
    from pi_shell_engine.paths import PathRules

REFUSED = 2


@dataclass(slots=True)
class Channels:
    """The engine's own descriptors, out of reach of commands."""

    requests: int
    output: int
    control: int
    null: int
    _held: bytearray = field(default_factory=bytearray)

    def lines(self) -> Iterator[bytes]:
        """The request lines, until the host closes the pipe."""
        held = self._held
        while True:
            end = held.find(b"\n")
            while end < 0:
                data = os.read(self.requests, 1 << 16)
                if not data:
                    return
                start = len(held)
                held += data
                end = held.find(b"\n", start)
            line = bytes(held[:end])
            del held[: end + 1]
            yield line


class Server:
    """Answers requests; between two of them it keeps nothing but the environment it reported last."""

    def __init__(self, channels: Channels, registry: Registry = CONTRACT, paths: PathRules = HERE) -> None:
        self._channels = channels
        self._registry = registry
        self._paths = paths
        self._env: Mapping[str, str] = {}
        self._output = Output(channels.output)
        runs.RUNNERS.update(runs.runners())

    def serve(self) -> None:
        """Until the host is gone."""
        for line in self._channels.lines():
            self._answer(json.loads(line))

    def _answer(self, request: dict[str, Any]) -> None:
        before = request.get("env", self._env)
        if before is None:
            before = self._env
        state = State(request["cwd"], variables(before, windows=self._paths.windows))
        state.variables["PWD"] = self._paths.slashed(state.cwd)
        answer: dict[str, Any] = {"id": request["id"], "refusal": None}
        with _Input(request.get("stdin"), self._channels.null) as stdin:
            if request.get("split"):
                with Capture() as capture:
                    io = Streams(stdin, self._channels.output, capture.descriptor)
                    self._run(request, state, io, answer)
                    answer["stderr"] = base64.b64encode(capture.content()).decode("ascii")
            else:
                self._run(request, state, Streams(stdin, self._channels.output, self._channels.output), answer)
        answer["cwd"] = state.cwd
        answer["env"] = changes(before, state.variables)
        self._env = dict(state.variables)
        write_all(self._channels.output, self._output.take() + barrier(request["id"]))
        write_all(self._channels.control, json.dumps(answer).encode("ascii") + b"\n")

    def _run(self, request: dict[str, Any], state: State, io: Streams, answer: dict[str, Any]) -> None:
        run = Run(
            self._registry,
            self._paths,
            null=self._channels.null,
            output=self._output,
            powershell=request.get("powershell"),
        )
        try:
            tree = self._accepted(request["command"], state)
            answer["status"] = run_list(run, tree, state, io)
        except ShellExit as ended:
            answer["status"] = ended.status
        except Refusal as refusal:
            answer["status"] = REFUSED
            answer["refusal"] = {"id": refusal.id, "message": refusal.message}
        except Exception as error:
            # A fault in here must not end the session; the command's effects and its state so far stand.
            run.warn(f"pi: fault in the shell engine: {type(error).__name__}: {error}", io.stderr)
            answer["status"] = 1

    def _accepted(self, command: str, state: State) -> List:
        """The tree of a command; whatever can be refused before it runs is."""
        tree = parse(command, windows_paths=self._paths.windows)
        judge(tree, self._registry)
        if not os.path.isdir(state.cwd) and not _changes_directory_first(tree):
            raise refuse("cwd-missing", text=state.cwd)
        return tree


def _changes_directory_first(tree: List) -> bool:
    """Whether the first command is `cd`, which leads out of a directory that is gone."""
    if not tree.items:
        return True
    first = tree.items[0].pipelines[0].commands[0]
    from pi_shell import constant

    return isinstance(first, Simple) and bool(first.words) and constant(first.words[0]) == "cd"


class _Input:
    """The standard input of a request: empty, or bytes that came with it."""

    def __init__(self, encoded: str | None, null: int) -> None:
        self._data = base64.b64decode(encoded) if encoded else b""
        self._descriptor = null
        self._owned = False

    def __enter__(self) -> int:
        if self._data:
            from pi_shell_engine.engine.threads import call_in_thread

            self._descriptor, writing = os.pipe()
            self._owned = True
            data = self._data

            def feed() -> int:
                try:
                    write_all(writing, data)
                except OSError:
                    return 1
                finally:
                    os.close(writing)
                return 0

            call_in_thread(feed)
        return self._descriptor

    def __exit__(self, *error: object) -> None:
        if self._owned:
            os.close(self._descriptor)


def take_channels() -> Channels:
    """Moves the three standard descriptors away, so that no command and no stray `print` can reach them."""
    requests, output, control = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (requests, output, control, null):
            msvcrt.setmode(descriptor, os.O_BINARY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    return Channels(requests, output, control, null)


def main() -> int:
    """Serves the host that started this process."""
    channels = take_channels()
    end_with(channels.requests)
    Server(channels).serve()
    return 0
