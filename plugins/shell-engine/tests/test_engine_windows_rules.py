"""What Windows changes, decided by pure functions and so shown on every system."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pi_shell.quoting import UnquotableError
from pi_shell_engine.engine.batch import command_interpreter, command_line, is_batch
from pi_shell_engine.engine.environment import WindowsVariables, changes, home, value_of, variables
from pi_shell_engine.engine.fields import Field, Piece
from pi_shell_engine.engine.globbing import split_path
from pi_shell_engine.engine.programs import pathext, search_path, windows_names
from pi_shell_engine.paths import PathRules
from pi_shell_engine.tier import find_powershell

WINDOWS = PathRules(windows=True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.txt", r"C:\work\a.txt"),
        ("sub/a.txt", r"C:\work\sub/a.txt"),
        (r"D:\x", r"D:\x"),
        ("d:/x", "d:/x"),
        (r"\\server\share\x", r"\\server\share\x"),
        ("/dev/null", "NUL"),
        ("/x", "C:/x"),
    ],
)
def test_operands_are_joined_with_the_directory(path: str, expected: str) -> None:
    assert WINDOWS.join(r"C:\work", path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("C:/a/../b", r"C:\b"), (r"C:\a\.\b", r"C:\a\b"), ("C:/..", "C:\\"), (r"\\s\h\a\..", r"\\s\h" + "\\")],
)
def test_paths_are_normalised_by_text(path: str, expected: str) -> None:
    assert WINDOWS.normal(path) == expected


@pytest.mark.parametrize(
    ("word", "has_folder"), [("git", False), ("./x", True), (r"C:\x\y.exe", True), (r"a\b", True), ("c:x", True)]
)
def test_a_command_word_with_a_folder_is_not_looked_for_on_the_path(word: str, has_folder: bool) -> None:
    assert WINDOWS.has_folder(word) is has_folder


def test_extensions_are_tried_in_the_order_of_pathext_and_a_given_one_first() -> None:
    env = {"PATHEXT": ".EXE;.BAT;nonsense;.Py"}
    assert pathext(env) == [".exe", ".bat", ".py"]
    assert windows_names(r"C:\x\tool", env) == [r"C:\x\tool.exe", r"C:\x\tool.bat", r"C:\x\tool.py", r"C:\x\tool"]
    assert windows_names("npm.cmd", env)[0] == "npm.cmd"
    assert pathext({}) == [".com", ".exe", ".bat", ".cmd"]


def test_the_path_is_split_at_semicolons_and_unquoted() -> None:
    folders = search_path({"PATH": r'C:\a;"C:\b c";;D:\d'}, WINDOWS)
    assert folders == [r"C:\a", r"C:\b c", r"D:\d"]
    assert search_path({}, WINDOWS) == []


def test_variables_have_no_case_but_keep_their_spelling() -> None:
    env = variables({"Path": "p", "A": "1"}, windows=True)
    assert isinstance(env, WindowsVariables)
    before = dict(env)
    assert (env["PATH"], env.get("path"), "pAtH" in env) == ("p", "p", True)
    env["PATH"] = "q"
    del env["a"]
    assert dict(env) == {"Path": "q"}
    assert changes(before, env) == {"Path": "q", "A": None}


def test_a_copy_of_variables_is_a_copy() -> None:
    env = variables({"A": "1"}, windows=True)
    copied = env.copy()
    copied["a"] = "2"
    assert (env["A"], copied["A"]) == ("1", "2")


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"HOME": "C:/h", "USERPROFILE": r"C:\u"}, "C:/h"),
        ({"USERPROFILE": r"C:\Users\me"}, "C:/Users/me"),
        ({"HOMEDRIVE": "H:", "HOMEPATH": r"\me"}, "H:/me"),
        ({"HOMEDRIVE": "H:"}, None),
        ({}, None),
    ],
)
def test_without_home_the_profile_is_home_and_never_the_root(env: Mapping[str, str], expected: str | None) -> None:
    assert home(env, windows=True) == expected
    assert value_of(env, "HOME", windows=True) == (expected or "")


@pytest.mark.parametrize(("name", "batch"), [("npm.CMD", True), ("x.bat", True), ("x.exe", False), ("cmd", False)])
def test_batch_files_are_known_by_their_extension(name: str, batch: bool) -> None:
    assert is_batch(name) is batch


def test_batch_arguments_cannot_reach_the_interpreter_as_commands() -> None:
    line = command_line("C:/n/npm.cmd", ["run", "a&b", 'q"r', "x^y"], r"C:\W\System32\cmd.exe")
    assert line.startswith(r'"C:\W\System32\cmd.exe" /d /e:on /v:off /s /c "')
    assert '"a&b"' in line
    assert '"q""r"' in line


@pytest.mark.parametrize(("argument", "named"), [("a\nb", "line end"), ("%PATH%", "percent"), ("a\0b", "NUL")])
def test_what_cannot_be_passed_to_a_batch_file_is_named(argument: str, named: str) -> None:
    with pytest.raises(UnquotableError, match=named):
        command_line("npm.cmd", [argument], "cmd.exe")


def test_programs_are_quoted_for_the_c_runtime() -> None:
    assert command_line(r"C:\p q\x.exe", ["a b", 'c"d', ""], "") == r'"C:\p q\x.exe" "a b" "c\"d" ""'


def test_the_batch_interpreter_is_the_system_s_own() -> None:
    env = {"ComSpec": r"C:\evil.exe", "SystemRoot": r"D:\Win"}
    assert command_interpreter(env) == r"D:\Win\System32\cmd.exe"


def test_patterns_split_at_both_separators() -> None:
    directory, last, trailing = split_path(Field([Piece(r"C:\src\*.py", False)]), windows=True)
    assert (directory.text, last.text, trailing) == ("C:\\src\\", "*.py", "")


def test_powershell_is_taken_from_the_setting_then_the_path(tmp_path: Path) -> None:
    assert find_powershell({}, r"D:\ps\pwsh.exe", windows=True) == r"D:\ps\pwsh.exe"
    assert find_powershell({"PATH": ""}, r"C:\powershell.exe", windows=False) is None
    usual = tmp_path / "PowerShell" / "7" / "pwsh.exe"
    usual.parent.mkdir(parents=True)
    usual.touch()
    assert find_powershell({"PATH": "", "ProgramFiles": str(tmp_path)}, None, windows=True) == str(usual)
