"""The engine's loop: one request after the other, each answered by its output, a barrier and a control line."""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, Any

from pi_shell import Refusal, parse, refuse
from pi_shell.nodes import Simple

from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.engine import run as runs
from pi_shell_engine.engine.capture import Capture
from pi_shell_engine.engine.channels import Channels, Input, take_channels
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
    from collections.abc import Mapping

    from pi_shell.nodes import List

    from pi_shell_engine.builtins.interface import Registry
    from pi_shell_engine.paths import PathRules

REFUSED = 2


class Server:
    """Answers requests; between two of them it keeps nothing but the environment it reported last."""

    def __init__(self, channels: Channels, registry: Registry = CONTRACT, paths: PathRules = HERE) -> None:
        self._channels = channels
        self._registry = registry
        self._paths = paths
        self._env: Mapping[str, str] = {}
        self._unexported: frozenset[str] = frozenset()
        self._output = Output(channels.output)
        runs.RUNNERS.update(runs.runners())

    def serve(self) -> None:
        """Until the host is gone."""
        for line in self._channels.lines():
            self._answer(json.loads(line))

    def _answer(self, request: dict[str, Any]) -> None:
        given = request.get("env")
        before: Mapping[str, str] = self._env if given is None else given
        state = State(request["cwd"], variables(before, windows=self._paths.windows))
        state.variables["PWD"] = self._paths.slashed(state.cwd)
        run = Run(
            self._registry,
            self._paths,
            null=self._channels.null,
            output=self._output,
            powershell=request.get("powershell"),
        )
        run.exported |= before.keys() - (self._unexported if given is None else frozenset())
        answer: dict[str, Any] = {"id": request["id"], "refusal": None}
        with Input(request.get("stdin"), self._channels.null) as stdin:
            self._run(run, request, state, stdin, answer)
        self._unexported = frozenset(state.variables.keys() - run.exported)
        answer["cwd"] = state.cwd
        answer["env"] = changes(before, state.variables)
        self._env = dict(state.variables)
        write_all(self._channels.output, self._output.take() + barrier(request["id"]))
        write_all(self._channels.control, json.dumps(answer).encode("ascii") + b"\n")

    def _run(self, run: Run, request: dict[str, Any], state: State, stdin: int, answer: dict[str, Any]) -> None:
        output = self._channels.output
        if not request.get("split"):
            self._execute(run, request["command"], state, Streams(stdin, output, output), answer)
            return
        with Capture() as capture:
            self._execute(run, request["command"], state, Streams(stdin, output, capture.descriptor), answer)
            answer["stderr"] = base64.b64encode(capture.content()).decode("ascii")

    def _execute(self, run: Run, command: str, state: State, io: Streams, answer: dict[str, Any]) -> None:
        try:
            tree = self._accepted(command, state)
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


def main() -> int:
    """Serves the host that started this process."""
    channels = take_channels()
    end_with(channels.requests)
    Server(channels).serve()
    return 0
