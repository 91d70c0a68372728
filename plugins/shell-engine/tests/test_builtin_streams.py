"""Builtins as neighbours in a pipeline: shared descriptors, closed pipes, blocks of any size."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builtin_harness import ENV, TinyShell
from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.builtins.interface import BuiltinIO
from pi_shell_engine.paths import HERE

ROWS = b"".join(b"%d,%d,word %d\n" % (number, number % 7, number % 1000) for number in range(30_000))


def io_of(words: str, stdin: int, stdout: int) -> BuiltinIO:
    argv = tuple(words.split(" "))
    return BuiltinIO(argv, os.getcwd(), ENV, stdin, stdout, stdout, HERE, TinyShell(), CONTRACT[argv[0]])


def run(words: str, stdin: int, stdout: int) -> int:
    io = io_of(words, stdin, stdout)
    return io.entry.load()(io)


@contextmanager
def fed(data: bytes, pieces: int) -> Iterator[int]:
    """The reading end of a pipe that gets `data` in so many pieces, and is closed early without harm."""
    reading, writing = os.pipe()
    step = -(-len(data) // pieces)

    def feed() -> None:
        try:
            for at in range(0, len(data), step):
                os.write(writing, data[at : at + step])
        except OSError:
            return
        finally:
            os.close(writing)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        yield reading
    finally:
        os.close(reading)
        feeder.join(60)


def output(words: str, data: bytes, pieces: int, folder: Path) -> bytes:
    with fed(data, pieces) as reading, open(folder / "out", "w+b", buffering=0) as out:
        run(words, reading, out.fileno())
        out.seek(0)
        return out.read()


COMMANDS = [
    "cat", "wc -lwc", "wc -m", "sort", "sort -n", "uniq -c", "grep 77", "grep -v 7", "grep -c 1.*2", "grep -n [0-9]7,",
    "sed s/word/W/g", "cut -d, -f2", "cut -c2-4", "tr 0-9 a-j", "tr -s 0-9", "tr -d 0-9", "tail -n 3", "head -n 3",
    "grep -vc 7", "grep -E [0-9]{4},", "tr -s 0-9 x", "uniq -i", "sed s/$/!/", "grep -nv 7",
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS)
def test_result_does_not_depend_on_how_the_input_comes(words: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(ROWS)
    with open(tmp_path / "in", "rb", buffering=0) as file, open(tmp_path / "one", "w+b", buffering=0) as out:
        assert run(words, file.fileno(), out.fileno()) == 0
        out.seek(0)
        expected = out.read()
    assert expected
    assert output(words, ROWS, 997, tmp_path) == expected


def test_head_leaves_the_rest_of_a_file_to_the_next(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"1\n2\n3\n4\n")
    with open(tmp_path / "in", "rb", buffering=0) as file, open(tmp_path / "out", "w+b", buffering=0) as out:
        run("head -n 1", file.fileno(), out.fileno())
        run("head -n 2", file.fileno(), out.fileno())
        run("cat", file.fileno(), out.fileno())
        out.seek(0)
        assert out.read() == b"1\n2\n3\n4\n"


def test_head_ends_while_its_writer_goes_on(tmp_path: Path) -> None:
    assert output("head -n 2", b"y\n" * 2_000_000, 500, tmp_path) == b"y\ny\n"


@pytest.mark.parametrize("words", ["cat", "grep 1", "sed s/1/2/", "tr 1 2", "cut -c1", "tail -n 9999", "sort", "uniq"])
def test_closed_pipe_ends_a_builtin(words: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with fed(ROWS, 10) as source, pytest.raises(BrokenPipeError):
            run(words, source, writing)
    finally:
        os.close(writing)
