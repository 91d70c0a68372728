"""Hints: a listed divergence that is about to change an answer says so, once, where the command's errors go."""

import os
import string
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pi_shell_engine.hints import PREFIX, hint_text, rows

Sh = Callable[..., Any]
SETUP = "mkdir -p d/e; touch d/a.py d/e/b.py; "


@pytest.mark.parametrize("key", rows())
def test_every_row_makes_one_line(key: str) -> None:
    fields = {name: "x\ny" for _, name, _, _ in string.Formatter().parse(rows()[key]["text"]) if name}
    line = hint_text(key, fields)
    assert line.startswith(PREFIX)
    assert "\n" not in line


@pytest.mark.parametrize("pattern", ["*/a.py", "d*/*.py", "*/*", "./*/a.py", "*/e/b.py"])
def test_a_pattern_in_the_directory_part_says_that_it_is_literal(pattern: str, sh: Sh) -> None:
    result = sh(f"{SETUP}echo {pattern}")
    assert result.out.decode() == f"{pattern}\n"
    assert result.err.decode().startswith(f"{PREFIX}the pattern in the directory part of {pattern}")


@pytest.mark.parametrize("pattern", ["*/none", "x*/*.py", "d/*.py", "*", "'*'/a.py", "\\*/a.py", "*/"])
def test_where_bash_would_answer_the_same_nothing_is_said(pattern: str, sh: Sh) -> None:
    assert sh(f"{SETUP}echo {pattern}").err == b""


def test_a_hint_is_given_once_a_command_line(sh: Sh) -> None:
    result = sh(SETUP + "for i in 1 2 3; do echo */a.py; done; echo */e/b.py")
    assert result.err.count(PREFIX.encode()) == 2
    assert sh("echo */a.py").err.count(PREFIX.encode()) == 1


def test_a_hint_goes_where_errors_go(sh: Sh) -> None:
    assert sh(SETUP + "{ echo */a.py; } 2>/dev/null").err == b""
    assert sh("{ echo */a.py; } 2> e; wc -l < e").out.split() == [b"*/a.py", b"1"]


PYTHON = "'" + sys.executable.replace("\\", "/") + "'"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (f"VAR=1; {PYTHON} -c 'import os; os.environ.get(\"VAR\")'", "VAR"),
        (f"for V in a; do {PYTHON} -c 'import os; os.getenv(\"V\")'; done", "V"),
        (f"VAR=1; VAR=2 {PYTHON} -c 'import os; os.getenv(\"VAR\")'", None),
        (f"VAR=1; {PYTHON} -c 'VAR = 2'", None),
        (f"export VAR=1; {PYTHON} -c 'import os; os.getenv(\"VAR\")'", None),
        (f"HOME=/x; {PYTHON} -c 'import os; os.getenv(\"HOME\")'", None),
    ],
)
def test_a_program_that_reads_what_was_only_assigned_is_announced(command: str, name: str | None, sh: Sh) -> None:
    told = sh(command).err.decode()
    assert told.startswith(f"{PREFIX}{name} was assigned without export") if name else told == ""


@pytest.mark.skipif(os.name == "nt", reason="patterns do not reach programs that expand them themselves")
def test_status_and_output_stay_the_contract_s(sh: Sh) -> None:
    assert sh(SETUP + "for f in */a.py; do echo $f; done; echo $?").out == b"*/a.py\n0\n"
