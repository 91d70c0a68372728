"""An entry that cannot be written whole leaves no trace, and the session says why it stopped."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import SessionReadOnly, SessionUnavailable, WriteFailed


def say(tree: SessionTree, text: str) -> str:
    return tree.append("message", {"message": {"role": "user", "content": text}}).id


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


@contextlib.contextmanager
def file_size_limit(limit: int) -> Iterator[None]:
    """The system ends every file of this process at a size, with the short write of a full disk."""
    resource = pytest.importorskip("resource", reason="file size limits need POSIX (module resource)")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def failing_write(allowed: int) -> Any:
    """An os.write that stores some bytes more and then finds the disk full, as every system reports it."""
    real, left = os.write, [allowed]

    def write(fd: int, data: Any) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        written = real(fd, bytes(data)[: left[0]])
        left[0] -= written
        return written

    return write


def test_a_write_cut_short_is_taken_back(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        kept = say(tree, "kept")
        content = file.read_bytes()
        with file_size_limit(len(content) + 50), pytest.raises(WriteFailed, match="disk full or size limit") as caught:
            say(tree, "lost" * 100)
        assert caught.value.disk_full
        assert str(file.parent) in str(caught.value)
        assert (file.read_bytes(), tree.leaf_id, len(tree)) == (content, kept, 1)
        with pytest.raises(SessionReadOnly, match="earlier write failed"):
            say(tree, "fenced")
        assert file.read_bytes() == content
    with SessionTree.open(file) as tree:
        assert tree.get(say(tree, "room again")).parent_id == kept


@pytest.mark.parametrize("allowed", [0, 1, 40, 150])
def test_a_disk_that_fills_up_at_any_byte_leaves_the_file_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    with SessionTree.create(file, "/project") as tree:
        say(tree, "kept")
        content = file.read_bytes()
        with monkeypatch.context() as full:
            full.setattr("pi_kernel.tree.log.os.write", failing_write(allowed))
            with pytest.raises(WriteFailed, match="Make room"):
                say(tree, "lost" * 100)
        assert file.read_bytes() == content


@pytest.mark.parametrize("allowed", [0, 1, 150])
def test_a_session_that_could_not_begin_leaves_no_file_and_may_try_again(
    file: Path, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    with SessionTree.create(file, "/project") as tree:
        with monkeypatch.context() as full:
            full.setattr("pi_kernel.tree.log.os.write", failing_write(allowed))
            with pytest.raises(WriteFailed):
                say(tree, "lost" * 100)
        assert not file.exists()
        first = say(tree, "room now")
    with SessionTree.open(file) as tree:
        assert [entry.id for entry in tree.entries()] == [first]


def test_what_cannot_be_taken_back_is_passed_over_on_reopening(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SessionTree.create(file, "/project") as tree:
        kept = say(tree, "kept")
        with monkeypatch.context() as broken:
            broken.setattr("pi_kernel.tree.log.os.write", failing_write(90))
            broken.setattr("pi_kernel.tree.log.os.ftruncate", lambda fd, size: failing_write(0)(fd, b""))
            with pytest.raises(WriteFailed):
                say(tree, "lost" * 100)
    with SessionTree.open(file) as tree:
        assert [note.what for note in tree.diagnostics] == ["unfinished: skipped"]
        assert tree.leaf_id == kept


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    mount = tmp_path / "disk"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(mount)]
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root on Linux")
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("this system does not let root mount a tmpfs")
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def test_a_full_disk_keeps_all_that_was_acknowledged(small_disk: Path) -> None:
    file = small_disk / "session.jsonl"
    acknowledged: list[str] = []
    with SessionTree.create(file, "/project") as tree, pytest.raises(WriteFailed, match="disk full"):
        while True:
            acknowledged.append(say(tree, "x" * 997))
    with SessionTree.open(file) as tree:
        assert [entry.id for entry in tree.entries()] == acknowledged
        assert tree.diagnostics == ()
        with pytest.raises(WriteFailed, match="disk full"):
            say(tree, "x" * 4000)


def test_a_place_that_cannot_hold_a_session_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    place = tmp_path / "file" / "session.jsonl"
    with SessionTree.create(place, "/project") as tree, pytest.raises(SessionUnavailable, match="cannot create it"):
        say(tree, "x")


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """Root is refused nothing, so it steps down for a moment."""
    if sys.platform == "win32" or os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def may_write(file: Path) -> bool:
    try:
        file.open("ab").close()
    except PermissionError:
        return False
    return True


def test_a_read_only_file_is_refused_for_writing_only(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        say(tree, "kept")
    file.chmod(0o444)
    for folder in file.parents if sys.platform != "win32" and os.geteuid() == 0 else ():
        if folder.stat().st_mode & 0o011 != 0o011 and folder.is_relative_to("/tmp"):
            folder.chmod(0o755)
    with without_privileges():
        if may_write(file):
            pytest.skip("this system lets the account write read-only files")
        with pytest.raises(SessionUnavailable, match="Check the permissions"):
            SessionTree.open(file)
        SessionTree.open(file, read_only=True).close()
    file.chmod(0o644)


def test_a_read_only_directory_is_named(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("directories have no read-only mode on Windows")
    shut = tmp_path / "shut"
    shut.mkdir(0o555)
    with SessionTree.create(shut / "session.jsonl", "/project") as tree, without_privileges():
        with pytest.raises(SessionUnavailable, match=r"cannot create it.*choose another session directory"):
            say(tree, "x")
        assert tree.leaf_id is None
