"""Runs one builtin without a shell, and the same words in real bash, in directories of their own."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pi_shell import Refusal
from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.builtins.interface import BuiltinError, BuiltinIO, encode, reason
from pi_shell_engine.paths import HERE
from pi_shell_engine.streams import write_all

ENV = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/nonexistent"}
Tree = Mapping[str, "bytes | None"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did: output, whether it complained, status, the files left."""

    stdout: bytes
    complained: bool
    status: int
    tree: Tree = field(default_factory=dict)
    stderr: bytes = b""
    hints: tuple[str, ...] = ()


class TinyShell:
    """The shell a builtin sees: it runs programs for xargs and collects hints."""

    def __init__(self) -> None:
        self.hints: list[str] = []

    def run(self, argv: Sequence[str], io: BuiltinIO) -> int:
        if argv[0] in CONTRACT:
            entry = CONTRACT[argv[0]]
            with open(os.devnull, "rb") as empty:
                return _run(
                    BuiltinIO(tuple(argv), io.cwd, io.env, empty.fileno(), io.stdout, io.stderr, io.paths, self, entry)
                )
        try:
            done = subprocess.run(
                [encode(word) for word in argv],
                cwd=io.cwd,
                env=dict(io.env),
                stdin=subprocess.DEVNULL,
                stdout=io.stdout,
                stderr=io.stderr,
                check=False,
            )
        except FileNotFoundError:
            io.warn(f"{argv[0]}: command not found")
            return 127
        except PermissionError:
            return 126
        return done.returncode if done.returncode >= 0 else 128 - done.returncode

    def write(self, descriptor: int, data: bytes | bytearray | memoryview) -> None:
        write_all(descriptor, data)

    def programs(self, name: str, io: BuiltinIO) -> Sequence[str]:
        found = shutil.which(name, path=io.env.get("PATH"))
        return [found] if found else []

    def is_builtin(self, name: str) -> bool:
        return name in CONTRACT

    def hint(self, key: str, io: BuiltinIO, **fields: str) -> None:
        self.hints.append(key)


def fill(folder: Path, files: Tree) -> None:
    """Make files; `None` makes a directory."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def left_in(folder: Path) -> Tree:
    """What is in a directory, as `fill` takes it."""
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


def ours(argv: Sequence[str], files: Tree, stdin: bytes = b"") -> Answer:
    """A builtin's answer among `files`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "box")
        folder.mkdir()
        fill(folder, files)
        return run_in(folder, argv, stdin)


def run_in(folder: Path, argv: Sequence[str], stdin: bytes = b"", *, look: bool = True) -> Answer:
    """A builtin's answer in a folder; a refusal is status 2 and `refused: …` as a complaint. `look` for files left."""
    with tempfile.TemporaryDirectory() as name:
        Path(name, "in").write_bytes(stdin)
        shell = TinyShell()
        with (
            open(Path(name, "in"), "rb", buffering=0) as source,
            open(Path(name, "out"), "w+b", buffering=0) as out,
            open(Path(name, "err"), "w+b", buffering=0) as err,
        ):
            entry = CONTRACT[argv[0]]
            io = BuiltinIO(
                tuple(argv), str(folder), ENV, source.fileno(), out.fileno(), err.fileno(), HERE, shell, entry
            )
            status = _run(io)
        errors = Path(name, "err").read_bytes()
        tree = left_in(folder) if look else {}
        return Answer(Path(name, "out").read_bytes(), bool(errors), status, tree, errors, tuple(shell.hints))


def _run(io: BuiltinIO) -> int:
    try:
        io.entry.judge(io.argv)
        return io.entry.load()(io)
    except BuiltinError as error:
        io.error(error.text)
        return error.status
    except Refusal as refused:
        io.warn(f"refused: {refused}")
        return 2
    except OSError as error:
        io.error(reason(error))
        return 1


def bash(argv: Sequence[str], files: Tree, stdin: bytes = b"") -> Answer:
    """What bash makes of the same words."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "box")
        folder.mkdir()
        fill(folder, files)
        done = subprocess.run(
            ["bash", "--norc", "--noprofile", "-c", '"$@"', "bash", *[encode(word) for word in argv]],
            cwd=folder, env=ENV, input=stdin, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        return Answer(done.stdout, bool(done.stderr), done.returncode, left_in(folder), done.stderr)
