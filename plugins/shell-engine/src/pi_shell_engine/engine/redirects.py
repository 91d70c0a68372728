"""Redirections: opened in order, each on the descriptors that the ones before it left."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pi_shell.nodes import Duplicate, Redirect

from pi_shell_engine.builtins.interface import reason
from pi_shell_engine.engine.expansion import expand_words
from pi_shell_engine.engine.state import CommandError, Streams
from pi_shell_engine.paths import STANDARD_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pi_shell.nodes import Redirection, Word

    from pi_shell_engine.engine.run import Run
    from pi_shell_engine.engine.state import State

BINARY = getattr(os, "O_BINARY", 0)
FLAGS = {
    "<": os.O_RDONLY | BINARY,
    ">": os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY,
    ">>": os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY,
}


class RedirectError(CommandError):
    """A redirection failed; `stderr` is where its message goes, as the redirections before it left it."""

    def __init__(self, text: str, stderr: int) -> None:
        super().__init__(text)
        self.stderr = stderr


class Opened:
    """The streams of a command with its redirections, and the descriptors to close behind it."""

    __slots__ = ("_descriptors", "streams")

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self._descriptors: list[int] = []

    def apply(self, run: Run, redirects: Sequence[Redirection], state: State) -> None:
        """Opens `redirects` in order. Raises `RedirectError`; `close` is needed in any case."""
        for redirect in redirects:
            if isinstance(redirect, Redirect):
                self._open(run, redirect, state)
            elif isinstance(redirect, Duplicate):
                self._set(redirect.fd, self.streams[redirect.source])

    def close(self) -> None:
        """Closes what was opened."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()

    def _open(self, run: Run, redirect: Redirect, state: State) -> None:
        path = self._target(run, redirect.target, state)
        run.output.flush()
        standard = STANDARD_FILES.get(path)
        try:
            if standard is not None:
                descriptor = _reopened(self.streams[standard], FLAGS[redirect.operator])
            else:
                descriptor = os.open(run.paths.join(state.cwd, path), FLAGS[redirect.operator], 0o666)
        except OSError as error:
            raise RedirectError(f"{path}: {_why(run, path, error, state)}", self.streams.stderr) from error
        except ValueError as error:
            raise RedirectError(f"{path}: {error}", self.streams.stderr) from error
        self._descriptors.append(descriptor)
        self._set(redirect.fd, descriptor)

    def _target(self, run: Run, word: Word, state: State) -> str:
        words = expand_words(run, (word,), state, self.streams)
        if len(words) != 1:
            raise RedirectError("ambiguous redirect: the target must be one word", self.streams.stderr)
        return words[0]

    def _set(self, fd: int, descriptor: int) -> None:
        streams = list(self.streams)
        streams[fd] = descriptor
        self.streams = Streams(*streams)


def _reopened(descriptor: int, flags: int) -> int:
    """What opening `/dev/stdout` and its like gives: a file with a name is opened anew, anything else is shared."""
    info = os.fstat(descriptor)
    if sys.platform == "linux" and stat.S_ISREG(info.st_mode) and info.st_nlink:
        return os.open(f"/proc/self/fd/{descriptor}", flags)
    return os.dup(descriptor)


def _why(run: Run, path: str, error: OSError, state: State) -> str:
    """Windows refuses to open a directory with "permission denied"; bash says what it is."""
    if isinstance(error, PermissionError) and run.paths.windows and os.path.isdir(run.paths.join(state.cwd, path)):
        return "Is a directory"
    return reason(error)


@contextmanager
def redirected(run: Run, redirects: Sequence[Redirection], state: State, io: Streams) -> Iterator[Streams]:
    """The streams of a compound command. Raises `RedirectError` before anything of it ran."""
    if not redirects:
        yield io
        return
    opened = Opened(io)
    try:
        opened.apply(run, redirects, state)
        yield opened.streams
    finally:
        opened.close()
