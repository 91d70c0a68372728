"""The files of this machine behind the seam that other machines fill too."""

import os
import sys
from pathlib import Path, PurePath

import pytest
from pi_files.errors import FileError, NotAFile, NotFound
from pi_files.operations import Entry, Files, FileStat, LocalFiles

FILES = LocalFiles()
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


def test_what_is_at_a_path(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert FILES.stat(tmp_path / "f") == FileStat("file", 3)
    assert FILES.stat(tmp_path) == FileStat("directory", 0)
    assert FILES.stat(tmp_path / "f" / "below") is None
    assert FILES.stat(tmp_path / "gone") is None


def test_a_directory_is_listed(tmp_path: Path) -> None:
    (tmp_path / ".h").write_bytes(b"")
    (tmp_path / "d").mkdir()
    assert sorted(FILES.list(tmp_path), key=lambda entry: entry.name) == [
        Entry(".h", "file", False),
        Entry("d", "directory", True),
    ]


@posix_only
def test_links_lead_where_they_lead(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "to-d").symlink_to("d")
    (tmp_path / "gone").symlink_to("nowhere")
    assert set(FILES.list(tmp_path)) == {
        Entry("d", "directory", True),
        Entry("to-d", "link", True),
        Entry("gone", "link", False),
    }
    assert FILES.stat(tmp_path / "gone") is None
    assert FILES.real_path(tmp_path / "to-d" / "x") == FILES.real_path(tmp_path) / "d" / "x"


@posix_only
def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    FILES.replace(FILES.real_path(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@posix_only
def test_a_circle_of_links_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FileError, match="go in a circle"):
        FILES.read(tmp_path / "a")


@posix_only
def test_what_may_never_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", PurePath("/dev/zero"), tmp_path):
        with pytest.raises(NotAFile):
            FILES.read(path)


def test_a_directory_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match="director"):
        FILES.read(tmp_path)


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    for action in (FILES.read, FILES.list):
        with pytest.raises(NotFound, match="gone"):
            action(tmp_path / "gone")


def test_paths_may_be_long(tmp_path: Path) -> None:
    path = tmp_path.joinpath(*["d" * 60] * 6, "f")
    FILES.create(path, b"one")
    FILES.replace(FILES.real_path(path), b"two")
    assert FILES.read(path) == b"two"
    assert [entry.name for entry in FILES.list(path.parent)] == ["f"]


def test_a_session_works_on_this_machine_until_a_plugin_says_otherwise() -> None:
    files = Files()
    assert files.operations.local and files.cwd is None
