"""A file is replaced whole or not at all, whatever happens in between."""

import errno
import os
import random
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pi_files.atomic import create_file, replace_file
from pi_files.errors import AlreadyExists, FileError, HeldOpen, NoSpace, NotADirectory, NotFound, ReadOnly

SIZE = 300_000
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="modes, links and limits of POSIX")
windows_only = pytest.mark.skipif(sys.platform != "win32", reason="open files can be replaced here; Windows refuses")


def no_sleep(seconds: float) -> None:
    """Pass the time at once."""


def test_new_content_replaces_the_old(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    replace_file(str(file), b"new\r\n\0")
    assert file.read_bytes() == b"new\r\n\0"
    assert os.listdir(tmp_path) == ["x"]


def test_a_new_file_is_made_with_its_folders(tmp_path: Path) -> None:
    create_file(str(tmp_path / "a" / "b" / "x"), b"new")
    assert (tmp_path / "a" / "b" / "x").read_bytes() == b"new"
    assert os.listdir(tmp_path / "a" / "b") == ["x"]


def test_creating_never_replaces(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"mine")
    with pytest.raises(AlreadyExists, match="read it first"):
        create_file(str(file), b"new")
    assert file.read_bytes() == b"mine"
    assert os.listdir(tmp_path) == ["x"]


@posix_only
def test_all_works_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    create_file(str(tmp_path / "x"), b"old")
    replace_file(str(tmp_path / "x"), b"new")
    with pytest.raises(AlreadyExists):
        create_file(str(tmp_path / "x"), b"newer")
    assert (tmp_path / "x").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["x"]


@posix_only
@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o4711])
def test_the_mode_stays(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    file.chmod(mode)
    replace_file(str(file), b"new")
    assert stat.S_IMODE(file.stat().st_mode) == mode


@posix_only
def test_private_content_is_private_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    file.chmod(0o600)
    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode)))
    replace_file(str(file), b"secret")
    assert seen[0] == 0o600


@posix_only
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        create_file(str(tmp_path / "x"), b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
@pytest.mark.parametrize("step", [replace_file, create_file])
def test_what_is_being_written_has_no_name_yet(
    tmp_path: Path, step: Callable[[str, bytes], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system has no files without a name")
    if step is replace_file:
        (tmp_path / "x").touch()
    before, seen = os.listdir(tmp_path), []
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(os.listdir(tmp_path)))
    step(str(tmp_path / "x"), b"new")
    assert seen[0] == before
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("step", ["replace", "create"])
def test_an_error_leaves_nothing_behind(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", fail)
    file = tmp_path / "x"
    if step == "replace":
        file.write_bytes(b"old")
    with pytest.raises(NoSpace, match=r"x: no space left .* free some"):
        (replace_file if step == "replace" else create_file)(str(file), b"new")
    assert [entry.read_bytes() for entry in tmp_path.iterdir()] == ([b"old"] if step == "replace" else [])


@posix_only
def test_a_full_disk_leaves_the_old_content(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    with small_files(100_000), pytest.raises(NoSpace, match="the file is as it was"):
        replace_file(str(file), b"n" * SIZE)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(ReadOnly, match="make it writable first"):
        replace_file(str(file), b"new")
    file.chmod(0o644)
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("path", "kind"), [("gone", NotFound), ("file/below", NotADirectory if os.name == "posix" else NotFound)]
)
def test_replacing_what_is_not_there_says_so(tmp_path: Path, path: str, kind: type[FileError]) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(kind):
        replace_file(str(tmp_path / path), b"new")


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="cannot make the folder"):
        create_file(str(tmp_path / "file" / "below"), b"new")


def test_a_reader_sees_whole_contents_only(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"a" * SIZE)
    seen: set[bytes] = set()
    turns = threading.Semaphore(0)
    replacements = (b"b", b"a") * 15

    def read() -> None:
        for _ in replacements:
            assert turns.acquire(timeout=60)
            content = file.read_bytes()
            seen.add(content[:1] if content == content[:1] * SIZE else b"part")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for letter in replacements:
            turns.release()
            replace_file(str(file), letter * SIZE)
    finally:
        turns.release(len(replacements))
        reader.join(60)
    assert seen <= {b"a", b"b"}


def test_a_killed_writer_leaves_the_old_content_or_the_new(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"a" * SIZE)
    chance = random.Random(7)
    for _ in range(10):
        command = [sys.executable, str(Path(__file__).with_name("files_writer.py")), str(file), str(SIZE)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randint(1, 12)):
                assert writer.stdout.readline().strip() == b"writing"
            writer.kill()
        content = file.read_bytes()
        assert content in (b"a" * SIZE, b"b" * SIZE)
    if hasattr(os, "O_TMPFILE"):  # Elsewhere, and between two steps of a few microseconds, a temporary file may stay.
        assert len(os.listdir(tmp_path)) <= 2


@windows_only
def test_a_file_held_open_for_a_while_is_replaced_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    holder = file.open("rb")
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            holder.close()

    replace_file(str(file), b"new", wait)
    assert len(waits) == 3
    assert file.read_bytes() == b"new"


@windows_only
def test_a_file_held_open_for_ever_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"old")
    with file.open("rb"), pytest.raises(HeldOpen, match="another program keeps it open; close it there"):
        replace_file(str(file), b"new", no_sleep)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, which fails as a full disk does."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
