"""What a tool call gets from a path argument, and what it is told when there is nothing."""

import sys
from pathlib import Path, PurePath

import pytest
from pi_files import Place
from pi_files.errors import BadPath, FileError, NotADirectory, NotFound
from pi_files.operations import LocalFiles


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name in ("src/main.py", "src/Makefile", "docs/guide.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    return Place(LocalFiles(), tmp_path)


@pytest.mark.parametrize(
    ("argument", "kind"), [("src/main.py", "file"), ("@src/main.py", "file"), ("src", "directory"), (".", "directory")]
)
def test_what_is_there(place: Place, argument: str, kind: str) -> None:
    path, found = place.existing(argument)
    assert found.kind == kind
    assert path.is_relative_to(place.cwd)


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("src/mian.py", "src/mian.py does not exist; did you mean src/main.py?"),
        ("src/makefile.txt", "src/makefile.txt does not exist; did you mean src/Makefile?"),
        ("src/zzz", "src/zzz does not exist; there is nothing like it in src, so list or search for it first"),
        ("scr/main.py", "scr/main.py does not exist, nor does scr; did you mean src?"),
        ("docs/a/b/c", "docs/a/b/c does not exist, nor does docs/a; there is nothing like it in docs"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is_near(place: Place, argument: str, words: str) -> None:
    with pytest.raises(NotFound) as raised:
        place.existing(argument)
    assert words in str(raised.value)


def test_a_path_below_a_file_does_not_exist(place: Place) -> None:
    with pytest.raises(FileError, match="does not exist, nor does"):
        place.existing("src/main.py/x/y")


def test_a_file_is_no_directory(place: Place) -> None:
    assert place.show(place.directory("src")) == "src"
    with pytest.raises(NotADirectory, match=r"src/main\.py is not a directory"):
        place.directory("src/main.py")


def test_the_working_directory_has_a_name(place: Place) -> None:
    assert place.show(place.cwd) == "."


def test_a_target_need_not_exist(place: Place) -> None:
    assert place.target("new/x.py") == place.cwd / "new" / "x.py"


@pytest.mark.skipif(sys.platform != "win32", reason="devices have names like files on Windows only")
@pytest.mark.parametrize("argument", ["nul", "src/con.txt", "COM1"])
def test_a_device_is_neither_read_nor_written(place: Place, argument: str) -> None:
    with pytest.raises(BadPath, match="device"):
        place.existing(argument)
    with pytest.raises(BadPath, match="device"):
        place.target(argument)


@pytest.mark.skipif(sys.platform != "win32", reason="drives exist on Windows only")
def test_the_spellings_of_a_drive_lead_to_one_file(place: Place) -> None:
    native = str(place.cwd / "src" / "main.py")
    drive, rest = native[0], native[2:].replace("\\", "/")
    for spelling in (native, native.replace("\\", "/"), f"/{drive.lower()}{rest}", f"/mnt/{drive.lower()}{rest}"):
        path, found = place.existing(spelling)
        assert (found.kind, place.show(path)) == ("file", "src/main.py")


@pytest.mark.skipif(sys.platform == "win32", reason="names that are no text exist on POSIX only")
def test_a_name_that_is_no_text_can_be_shown(place: Place) -> None:
    assert place.show(PurePath(place.cwd, "bad\udcff")) == "bad\\xff"
