"""Finding a program as Windows would, from a made-up file system: runs on every system."""

from __future__ import annotations

import pytest
from pi_process.windows.programs import ProgramView, find_program, is_batch

FILES = {
    r"C:\Windows\System32\cmd.exe",
    r"C:\nodejs\node.exe",
    r"C:\nodejs\npm",
    r"C:\nodejs\npm.cmd",
    r"C:\nodejs\npm.ps1",
    r"D:\Portable Git\bin\bash.exe",
    r"D:\work\local.exe",
    r"D:\work\bin\tool.bat",
    r"D:\work\bin\python3.11.exe",
    r"D:\work\plain",
    r"E:\both\run.com",
    r"E:\both\run.exe",
}
PATH = r'C:\Windows\System32;;"D:\Portable Git\bin"; C:\nodejs ;E:\both'


def view(**changes: str) -> ProgramView:
    lowered = {path.lower() for path in FILES}
    environment = {"Path": PATH, "PathExt": ".COM;.EXE;.BAT;.CMD;.VBS;.JS", **changes}
    return ProgramView(environment, r"D:\work", lambda path: path.lower() in lowered)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("cmd", r"C:\Windows\System32\cmd.exe"),
        ("CMD.EXE", r"C:\Windows\System32\CMD.EXE"),
        ("npm", r"C:\nodejs\npm.cmd"),
        ("npm.cmd", r"C:\nodejs\npm.cmd"),
        ("npm.ps1", None),
        ("bash", r"D:\Portable Git\bin\bash.exe"),
        ("run", r"E:\both\run.com"),
        ("run.exe", r"E:\both\run.exe"),
        ("local", None),
        (r".\local", r"D:\work\local.exe"),
        (r"bin\tool", r"D:\work\bin\tool.bat"),
        ("bin/tool", r"D:\work\bin\tool.bat"),
        (r"bin\python3.11", r"D:\work\bin\python3.11.exe"),
        (r"D:\work\plain", r"D:\work\plain"),
        ("plain", None),
        (r"D:local", r"D:\work\local.exe"),
        ("missing", None),
        (r"C:\nodejs\npm", r"C:\nodejs\npm.cmd"),
    ],
)
def test_lookup(name: str, found: str | None) -> None:
    result = find_program(name, view())
    assert result == found or (result or "").lower() == (found or "").lower() != ""


@pytest.mark.parametrize(
    ("pathext", "found"),
    [
        (".EXE;.COM", r"E:\both\run.exe"),
        (".exe", r"E:\both\run.exe"),
        (".VBS", r"E:\both\run.com"),
        ("", r"E:\both\run.com"),
    ],
)
def test_the_order_of_pathext_decides_and_what_cannot_be_started_is_passed_over(pathext: str, found: str) -> None:
    assert find_program("run", view(PathExt=pathext)) == found


def test_without_a_search_path_only_paths_are_found() -> None:
    bare = ProgramView({}, r"D:\work", lambda path: True)
    assert find_program("cmd", bare) is None
    assert find_program(r"C:\x\y.exe", bare) == r"C:\x\y.exe"


def test_relative_folders_on_the_path_are_the_childs() -> None:
    assert find_program("tool", view(Path="bin")) == r"D:\work\bin\tool.bat"


@pytest.mark.parametrize(
    ("path", "batch"),
    [
        (r"C:\x\npm.cmd", True),
        (r"C:\x\A.BAT", True),
        (r"C:\x\a.bat. .", True),
        (r"C:\x\a.bat.exe", False),
        (r"C:\bat\cmd", False),
        (r"C:\x\cmd.exe", False),
    ],
)
def test_batch_files_are_known_by_their_ending(path: str, batch: bool) -> None:
    assert is_batch(path) is batch
