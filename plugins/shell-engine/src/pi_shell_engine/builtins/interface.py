"""What a builtin is: a function of `BuiltinIO` that returns an exit status.

A builtin runs in the engine's process, often in a thread beside other builtins of the same pipeline. It therefore never
touches the process's own directory, environment, signals or `sys.std*`; it takes everything from its `BuiltinIO`:

- Operands are paths relative to `io.cwd`; give the system only `io.resolve(operand)`.
- `io.read()` and `io.write()` move blocks of bytes on raw file descriptors, which may be shared with other commands.
  So nothing may stay in a buffer when the function returns, and a builtin that stops reading early (`head`) seeks a
  seekable input back to the first byte it did not use. It closes what it opened, never the three standard descriptors.
- A closed pipe raises `BrokenPipeError`. Let it pass: the executor makes it status 141, as for a program that SIGPIPE
  ends.
- Errors about one operand go to `io.error()`, and the builtin goes on with the next. `BuiltinError` ends it. An
  `OSError` that escapes becomes `name: file: reason` and status 1.
- Deadlines and aborts end the whole process from outside; there is nothing to poll.
- A form outside the contract raises `io.unsupported(…)`. The same must come out of the entry's `check`, which sees the
  words before anything of the command line has run.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pi_shell_engine.paths import STANDARD_FILES
from pi_shell_engine.streams import read, write_all

if TYPE_CHECKING:
    from pi_shell import Refusal

    from pi_shell_engine.paths import PathRules

BLOCK = 1 << 20
"""Bytes to read at a time; a pipe may give less."""


class BuiltinError(Exception):
    """Ends a builtin: `name: text` goes to its standard error, `status` is its exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class Shell(Protocol):
    """What a builtin may ask of the shell that runs it."""

    def run(self, argv: Sequence[str], io: BuiltinIO) -> int:
        """Run a command (builtin or program) for `xargs`: on an empty input, and `io`'s output, directory, environment.

        Returns its status: 127 not found, 126 not executable, 128+n for signal n. Raises a `Refusal`.
        """

    def programs(self, name: str, io: BuiltinIO) -> Sequence[str]:
        """Every file that `name` could start, in the order of PATH (and PATHEXT); empty when there is none."""

    def write(self, descriptor: int, data: bytes | bytearray | memoryview) -> None:
        """`data` to a descriptor; small writes to the session's output are gathered. Raises `OSError`."""

    def is_builtin(self, name: str) -> bool:
        """Whether `name` runs inside this shell."""

    def hint(self, key: str, io: BuiltinIO, **fields: str) -> None:
        """Say on `io`'s standard error that a listed divergence is about to change the answer, once a request.

        `key` is a row of `hints.toml`, `fields` fill its text.
        """


@dataclass(frozen=True, slots=True)
class BuiltinIO:
    """Everything a builtin gets.

    `argv` starts with the builtin's own name; bytes that are not UTF-8 are lone surrogates, as `surrogateescape` makes
    them. `env` compares names without case on Windows. `stdin`, `stdout`, `stderr` are file descriptors.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    stdin: int
    stdout: int
    stderr: int
    paths: PathRules
    shell: Shell
    entry: Entry

    @property
    def name(self) -> str:
        """The command word."""
        return self.argv[0]

    def resolve(self, path: str) -> str:
        """The file that an operand names, absolute; `/dev/null` is the null device on every system.

        `/dev/stdin` and its like are the command's own descriptors.

        Raises `FileNotFoundError` for an empty operand, which names nothing.
        """
        if not path:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        number = STANDARD_FILES.get(path)
        if number is not None and not self.paths.windows:
            return f"/dev/fd/{(self.stdin, self.stdout, self.stderr)[number]}"
        return self.paths.join(self.cwd, path)

    def read(self, size: int = BLOCK) -> bytes:
        """The next bytes of the standard input, at most `size`; empty at its end."""
        return read(self.stdin, size)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """All of `data` to the standard output.

        Raises `BrokenPipeError` when nobody reads it any more, `BuiltinError` when it cannot be written.
        """
        try:
            if self.entry.special:
                self.shell.write(self.stdout, data)
            else:
                write_all(self.stdout, data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise BuiltinError(f"write error: {error.strerror}") from error

    def error(self, text: str) -> None:
        """`name: text` as a line on the standard error; lost when that cannot be written."""
        self.warn(f"{self.name}: {text}")

    def warn(self, line: str) -> None:
        """A line on the standard error as it is."""
        try:
            self.shell.write(self.stderr, encode(line) + b"\n")
        except OSError:
            return

    def hint(self, key: str, **fields: str) -> None:
        """Announce a divergence; see `Shell.hint`."""
        self.shell.hint(key, self, **fields)

    def unsupported(self, text: str, instead: str = "") -> Refusal:
        """The `unsupported-flag` refusal for `text` (a flag or a form), to be raised."""
        return self.entry.unsupported(text, instead)


Builtin: TypeAlias = Callable[[BuiltinIO], int]
Check: TypeAlias = Callable[["Entry", Sequence["str | None"]], object]
"""Gets the entry and the words of a command as far as they are known before it runs, its name first.

`None` is a word that has yet to be expanded: to nothing, one or many words of any kind, so judge what is known and give
the benefit of the doubt. Raises the refusal (`entry.unsupported`) that the builtin would raise; returns nothing of use.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A builtin in the registry.

    `target` and `check` are `module:function`, imported on first use; `accepts` is what a refusal tells of the accepted
    flags and forms (`"-n N, -N and one file"`). `special` marks what bash itself runs in its own process (`echo`,
    `test`): a closed pipe ends the shell around such a command, not only the command.
    """

    name: str
    target: str
    accepts: str
    check: str = ""
    special: bool = False

    def load(self) -> Builtin:
        """The function."""
        function: Builtin = load(self.target)
        return function

    def judge(self, words: Sequence[str | None]) -> None:
        """Raise the refusal that these words deserve, if they deserve one."""
        if self.check:
            load(self.check)(self, words)

    def unsupported(self, text: str, instead: str = "") -> Refusal:
        """The `unsupported-flag` refusal for `text`."""
        from pi_shell import refuse

        return refuse("unsupported-flag", word=self.name, text=text, instead=instead or f"use only {self.accepts}")


Registry: TypeAlias = Mapping[str, Entry]
"""Builtins by command word. The contract's own are `pi_shell_engine.builtins.CONTRACT`."""

_loaded: dict[str, Any] = {}


def load(target: str) -> Any:
    """What `module:function` names, looked up once a process."""
    found = _loaded.get(target)
    if found is None:
        module, _, name = target.partition(":")
        found = _loaded[target] = getattr(import_module(module), name)
    return found


def encode(text: str) -> bytes:
    """The bytes that an argument or an environment value stands for."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """The opposite of `encode`."""
    return data.decode("utf-8", "surrogateescape")


def reason(error: OSError) -> str:
    """Why the system refused, in the words that bash and GNU tools use (`No such file or directory`)."""
    return os.strerror(error.errno) if error.errno else (error.strerror or str(error))
