"""The seam: a machine that is nothing but a dictionary serves paths, suggestions and walks like this one."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import PurePath, PurePosixPath
from typing import BinaryIO

import pytest
from pi_files import FileOperations, Place
from pi_files.errors import AlreadyExists, NotFound
from pi_files.operations import Entry, FileStat
from pi_files.walk import walk


class MemoryFiles:
    """Files in memory, by absolute POSIX path."""

    system = "memory"
    local = False
    home = PurePosixPath("/home/u")

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def stat(self, path: PurePath) -> FileStat | None:
        if str(path) in self.files:
            return FileStat("file", len(self.files[str(path)]))
        return FileStat("directory", 0) if self._below(path) else None

    def real_path(self, path: PurePath) -> PurePath:
        return path

    def read(self, path: PurePath) -> bytes:
        if str(path) not in self.files:
            raise NotFound(f"cannot read {path}: it does not exist")
        return self.files[str(path)]

    def open(self, path: PurePath) -> BinaryIO:
        return BytesIO(self.read(path))

    def list(self, path: PurePath) -> Sequence[Entry]:
        below = self._below(path)
        names = {name.partition("/")[0]: "/" in name for name in below}
        return [Entry(name, "directory" if deeper else "file", deeper) for name, deeper in names.items()]

    def create(self, path: PurePath, data: bytes) -> None:
        if str(path) in self.files:
            raise AlreadyExists(f"cannot create {path}: it exists")
        self.files[str(path)] = data

    def replace(self, path: PurePath, data: bytes) -> None:
        self.files[str(path)] = data

    def _below(self, path: PurePath) -> "list[str]":
        prefix = str(path).rstrip("/") + "/"
        return [name.removeprefix(prefix) for name in self.files if name.startswith(prefix)]


@pytest.fixture
def machine() -> FileOperations:
    names = ["/app/main.py", "/app/build/x", "/app/lib/y.log", "/app/lib/z", "/home/u/notes"]
    return MemoryFiles({**dict.fromkeys(names, b"text"), "/app/.gitignore": b"build/\n*.log\n"})


def test_its_paths_are_its_own(machine: FileOperations) -> None:
    place = Place(machine, PurePosixPath("/app"))
    assert place.existing("main.py")[0] == PurePosixPath("/app/main.py")
    assert place.existing("~/notes")[0] == PurePosixPath("/home/u/notes")
    assert place.show(place.directory("lib")) == "lib"
    assert str(place.target("new/nul")) == "/app/new/nul"
    with pytest.raises(NotFound, match=r"did you mean main\.py"):
        place.existing("mian.py")


def test_its_trees_are_walked(machine: FileOperations) -> None:
    found = [entry.path for entry in walk(machine, PurePosixPath("/app"), tool_file=".rgignore")]
    assert found == [".gitignore", "lib", "lib/z", "main.py"]
