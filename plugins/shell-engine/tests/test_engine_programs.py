"""Programs that need more than being started: PowerShell scripts, files without an interpreter, too many arguments."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sh = Callable[..., Any]
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows starts programs by their extension")


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return tmp_path / "work"


@pytest.fixture
def pwsh() -> str:
    found = os.environ.get("PI_TEST_PWSH") or shutil.which("pwsh")
    if found is None:
        pytest.skip("needs PowerShell 7: set PI_TEST_PWSH or put pwsh on PATH")
    return found


def executable(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


def test_a_powershell_script_runs_in_the_host_s_powershell(pwsh: str, sh: Sh, box: Path) -> None:
    (box / "show.ps1").write_text("$args | ForEach-Object { \"[$_]\" }\n[Console]::Error.WriteLine('oops')\nexit 5\n")
    result = sh("./show.ps1 'a b' c > out; echo $?; cat out | wc -l", powershell=pwsh)
    assert result.out.split() == [b"5", b"2"]
    assert (box / "out").read_text().split("\n")[:2] == ["[a b]", "[c]"]
    assert result.err.strip() == b"oops"


def test_a_powershell_script_gets_the_command_s_input_and_environment(pwsh: str, sh: Sh, box: Path) -> None:
    (box / "read.ps1").write_text('"$env:GREETING $([Console]::In.ReadToEnd())"\n')
    assert sh("echo world | GREETING=hello ./read.ps1 | cat", powershell=pwsh).out.split() == [b"hello", b"world"]


def test_without_powershell_a_script_of_its_is_refused_in_words(sh: Sh, box: Path) -> None:
    (box / "x.ps1").write_text("1")
    result = sh("./x.ps1 | cat; ./x.ps1; echo $?")
    assert result.out == b"126\n"
    assert result.err.count(b"PowerShell 7") == 2


@POSIX
def test_a_file_that_only_a_shell_could_run_is_a_refused_script(sh: Sh, box: Path) -> None:
    executable(box / "build", "echo hi\n")
    result = sh("X=./build; $X")
    assert result.refusal == "posix-script"


@POSIX
def test_a_missing_interpreter_is_told(sh: Sh, box: Path) -> None:
    executable(box / "tool", "#!/nowhere/python\n")
    result = sh("./tool; echo $?")
    assert result.out == b"126\n"
    assert b"required file not found" in result.err


@POSIX
def test_a_script_with_an_interpreter_runs(sh: Sh, box: Path) -> None:
    executable(box / "tool", f"#!{sys.executable}\nimport sys; print(sys.argv[1:])\n")
    assert sh("./tool a 'b c' | cat").out == b"['a', 'b c']\n"


@POSIX
def test_too_many_arguments_are_126(sh: Sh) -> None:
    result = sh(f"X={'x' * 131072}; env $X; echo $?")
    assert result.out == b"126\n"
    assert b"Argument list too long" in result.err


def test_what_no_program_can_receive_is_told(sh: Sh, base_env: dict[str, str]) -> None:
    result = sh(f"'{sys.executable}' -c 'print(1)' | cat", env={**base_env, "A=B": "x", "": "y"})
    assert result.out.strip() == b"1"
