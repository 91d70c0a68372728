"""The engine as a Windows program: programs, batch files, paths, line ends, the errors that only Windows makes."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "nt", reason="needs Windows, or Wine")

PYTHON = "'" + sys.executable.replace("\\", "/") + "'"
Sh = Callable[..., Any]
SHOW = "import sys; sys.stdout.buffer.write(repr(sys.argv[1:]).encode() + b'\\n')"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return tmp_path / "work"


@pytest.mark.parametrize("argument", ["a b", 'c"d', "e\\", "f\\\\", "", "*.py", "100%", "a&b|c", "é", "^x", "(y)", "'"])
def test_programs_get_their_arguments_unchanged(argument: str, sh: Sh, box: Path) -> None:
    (box / "show.py").write_text(SHOW)
    quoted = argument.replace("'", "'\\''")
    assert sh(f"{PYTHON} show.py '{quoted}' end | cat").out.decode() == f"{[argument, 'end']!r}\n"


@pytest.mark.parametrize("argument", ["a b", "a&b", "x^y", "(z)", "a|b", "!v!", "1>2", "e\\"])
def test_batch_files_get_their_arguments_unchanged(argument: str, sh: Sh, box: Path) -> None:
    (box / "show.py").write_text(SHOW)
    (box / "tool.cmd").write_bytes(f'@"{sys.executable}" "{box / "show.py"}" %*\r\n'.encode())
    for name in ("./tool", "./tool.cmd", "./TOOL.CMD"):
        assert sh(f"{name} '{argument}' end | cat").out.decode() == f"{[argument, 'end']!r}\n"


def test_a_batch_file_gives_its_exit_code(sh: Sh, box: Path) -> None:
    (box / "fail.bat").write_bytes(b"@exit /b 7\r\n")
    assert sh("./fail; echo $?").out == b"7\n"


def test_a_batch_argument_with_a_line_end_is_told(sh: Sh, box: Path) -> None:
    (box / "tool.cmd").write_bytes(b"@echo ran\r\n")
    result = sh("./tool 'a\nb' | cat; echo done")
    assert result.out == b"done\n"
    assert b"line end" in result.err


def test_names_are_found_on_the_path_of_the_command_by_pathext(sh: Sh, box: Path, base_env: dict[str, str]) -> None:
    (box / "bin").mkdir()
    (box / "bin" / "tool.bat").write_bytes(b"@echo bat\r\n")
    (box / "bin" / "odd.xyz").write_bytes(b"?")
    path = f"{box / 'bin'};{base_env['PATH']}"
    env = {**base_env, "PATH": path}
    assert sh("tool | cat", env=env).out == b"bat\r\n"
    assert sh("TOOL.BAT | cat", env=env).out == b"bat\r\n"
    assert sh("odd; echo $?", env=env).out == b"127\n"
    assert sh("odd.xyz; echo $?", env=env).out == b"126\n"
    assert sh("PATHEXT=.COM; tool; echo $?", env=env).out == b"127\n"


@pytest.mark.parametrize("word", ["cmd /c dir", "CMD.EXE /c dir", "powershell -c x", "X=cmd; $X /c dir", "pwsh x"])
def test_shells_are_refused_under_any_name(word: str, sh: Sh) -> None:
    assert sh(word).refusal == "nested-shell"


def test_a_ps1_file_without_powershell_says_what_is_missing(sh: Sh, box: Path) -> None:
    (box / "x.ps1").write_text("'hi'")
    result = sh("./x.ps1 a | cat; echo after")
    assert result.out == b"after\n"
    assert b"PowerShell 7" in result.err


def test_paths_are_read_with_drives_and_either_separator(sh: Sh, box: Path) -> None:
    (box / "sub").mkdir()
    (box / "sub" / "f.txt").write_bytes(b"text\r\n")
    whole = str(box / "sub" / "f.txt")
    for path in (whole, whole.replace("\\", "/"), "sub/f.txt", "SUB/F.TXT", "'sub\\f.txt'"):
        assert sh(f"cat {path}").out == b"text\r\n", path
    assert sh("cd sub; pwd; cat f.txt").out == f"{(box / 'sub').as_posix()}\ntext\r\n".encode()
    assert sh("echo sub/*.txt").out == b"sub/f.txt\n"
    assert sh(f"cd {box.drive}/; pwd").out == f"{box.drive}/\n".encode()


def test_variables_are_the_same_in_any_case(sh: Sh) -> None:
    result = sh(f"Foo=1; FOO=2; echo $foo; export Bar=x; {PYTHON} -c 'import os; print(os.environ[\"BAR\"])' | cat")
    assert result.out.replace(b"\r\n", b"\n") == b"2\nx\n"


def test_the_profile_stands_in_for_home(sh: Sh, base_env: dict[str, str], box: Path) -> None:
    env = {name: value for name, value in base_env.items() if name != "HOME"} | {"USERPROFILE": str(box)}
    assert sh("echo ~/x; cd; pwd", env=env).out.decode().splitlines() == [f"{box.as_posix()}/x", box.as_posix()]


def test_line_ends_of_programs_become_newlines_in_a_substitution_only(sh: Sh) -> None:
    program = f"{PYTHON} -c 'print(1); print(2)'"
    assert sh(f'X="$({program})"; echo "$X"').out == b"1\n2\n"
    assert sh(f"for i in $({program}); do echo [$i]; done").out == b"[1]\n[2]\n"
    assert sh(f"{program} | cat").out == b"1\r\n2\r\n"


def test_the_null_device_is_there_under_its_unix_name(sh: Sh) -> None:
    assert sh("echo a > /dev/null; cat < /dev/null; cat /dev/null; echo $?").out == b"0\n"


def test_a_file_that_is_in_use_cannot_be_removed_and_that_is_said(sh: Sh, box: Path) -> None:
    with (box / "used").open("w"):
        result = sh("rm used; echo $?")
    assert result.out == b"1\n"
    assert result.err


def test_redirecting_to_a_directory_says_what_it_is(sh: Sh, box: Path) -> None:
    (box / "d").mkdir()
    result = sh("echo a > d; echo $?")
    assert result.out == b"1\n"
    assert b"Is a directory" in result.err


def test_bytes_pass_through_programs_and_builtins(sh: Sh, box: Path) -> None:
    data = bytes(range(256)) * 300
    (box / "in").write_bytes(data)
    copy = f"{PYTHON} -c 'import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)'"
    assert sh(f"cat in | {copy} | cat > out").status == 0
    assert (box / "out").read_bytes() == data


def test_a_writer_whose_reader_is_gone_ends(sh: Sh) -> None:
    endless = f"{PYTHON} -c 'while True: print(1)' 2>/dev/null"
    assert sh(f"{endless} | head -n 1").out.strip() == b"1"
    assert sh("for ((i=0; i<100000; i++)); do echo $i; done | head -n 1").out == b"0\n"
