"""Quoted text is read back unchanged by bash, PowerShell, cmd.exe and Windows programs."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_shell import constant, parse
from pi_shell.quoting import (
    UnquotableError,
    batch_command_line,
    quote_bash,
    quote_batch_argument,
    quote_powershell,
    quote_windows_argument,
    windows_command_line,
)

HOSTILE = (
    *(
        "",
        " ",
        "a b",
        "it's",
        "'",
        "''",
        '"',
        '""',
        'a"b"c',
        "don\u2019t",
        "\u2018a\u201b\u201a",
        "$HOME",
        "`id`",
        "$(id)",
    ),
    *(
        "\\",
        "\\\\",
        "a\\",
        'a\\"',
        'a\\\\"b',
        "C:\\x y\\",
        "%PATH%",
        "%",
        "100%",
        "^",
        "&",
        "|",
        "<>",
        "!x!",
        "(a)",
        "a;b",
    ),
    *("*", "?", "~", "#", "{a,b}", "=", "A=b", "-n", "--", "@x", ",", "\t", "é", "日本", "if", "for", "!"),
)
ENCODABLE = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
PIECES = (*HOSTILE, *"\"'\\ %^&|<>()!$`;,=\u2019a")


def samples(count: int, *, without: str = "") -> list[str]:
    random = Random(9)
    mixed = ("".join(random.choice(PIECES) for _ in range(random.randint(1, 8))) for _ in range(count))
    return [text for text in (*HOSTILE, *mixed) if not any(char in text for char in without)]


def test_bash_reads_back_what_was_quoted(run_bash: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    texts = [*samples(400), "a\nb", "\n", "\x01", "\udcff\udc80", "a\udcffb'\n", "if"]
    script = "printf '%s\\0' " + " ".join(quote_bash(text) for text in texts)
    assert run_bash(script).stdout.decode("utf-8", "surrogateescape").split("\0")[:-1] == texts


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")))
def test_our_own_parser_reads_back_what_was_quoted_for_bash(text: str) -> None:
    command = parse(f"{quote_bash('echo')} {quote_bash(text)}").items[0].pipelines[0].commands[0]
    assert constant(command.words[1]) == text  # type: ignore[attr-defined]


def test_plain_words_stay_plain_and_reserved_words_do_not() -> None:
    assert quote_bash("src/a-b.py:12") == "src/a-b.py:12"
    assert quote_bash("done") == "'done'"
    assert quote_bash("a=b") == "'a=b'"


def test_every_quote_character_of_powershell_is_doubled() -> None:
    assert (
        quote_powershell("'\u2018\u2019\u201a\u201b\"$x`")
        == "'''\u2018\u2018\u2019\u2019\u201a\u201a\u201b\u201b\"$x`'"
    )
    assert quote_powershell("") == "''"


def test_powershell_reads_back_what_was_quoted(tmp_path: Path) -> None:
    pwsh = os.environ.get("PI_TEST_PWSH") or shutil.which("pwsh")
    if sys.platform == "win32" and "PI_TEST_PWSH" in os.environ:
        pytest.skip("PI_TEST_PWSH names a program for Linux")
    if not pwsh:
        pytest.skip("PI_TEST_PWSH does not name a PowerShell 7 and pwsh is not on PATH")
    texts = [*samples(400), "a\nb", "a\r\nb"]
    script = tmp_path / "quoted.ps1"
    listed = ",\n".join(quote_powershell(text) for text in texts)
    code = f"foreach ($x in @({listed})) {{ [Convert]::ToBase64String([Text.Encoding]::Unicode.GetBytes($x)) }}"
    script.write_text(code, encoding="utf-8", newline="")
    command = [pwsh, "-NoLogo", "-NoProfile", "-NonInteractive", "-File", str(script)]
    printed = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    decoded = [b64decode(line).decode("utf-16-le") for line in printed.split("\n")[:-1]]
    assert decoded == texts


def test_windows_arguments_are_those_of_the_standard_library() -> None:
    """Which leaves a word with a quote but no blank unquoted; ours is quoted whole, and read back the same."""
    for text in samples(2000):
        blank = "" if not text or " " in text or "\t" in text or '"' not in text else " "
        assert quote_windows_argument(blank + text) == subprocess.list2cmdline([blank + text])
    assert windows_command_line(["a", "b c", ""]) == 'a "b c" ""'


def test_a_windows_program_reads_back_what_was_quoted(winpy: str, tmp_path: Path) -> None:
    texts = samples(300)
    checker = tmp_path / "check.py"
    checker.write_text(CHECK_ARGV.format(lines=[windows_command_line(["x", *texts])]), encoding="utf-8")
    printed = subprocess.run([winpy, str(checker)], check=True, stdin=subprocess.DEVNULL, capture_output=True).stdout
    assert ast.literal_eval(printed.decode()) == ["x", *texts]


CHECK_ARGV = """
import ctypes, sys
from ctypes import wintypes
split = ctypes.windll.shell32.CommandLineToArgvW
split.restype, split.argtypes = ctypes.POINTER(wintypes.LPWSTR), [wintypes.LPCWSTR, ctypes.POINTER(ctypes.c_int)]
for line in {lines!a}:
    count = ctypes.c_int()
    argv = split(line, count)
    sys.stdout.buffer.write(ascii([argv[i] for i in range(count.value)]).encode())
"""


@pytest.fixture(scope="session")
def winpy() -> str:
    """A Windows CPython: the one that runs the tests, or one that can be run here."""
    if sys.platform == "win32":
        return sys.executable
    found = os.environ.get("PI_TEST_WINPY")
    if not found:
        pytest.skip("PI_TEST_WINPY does not name a Windows Python")
    return found


def test_a_batch_file_passes_on_what_was_quoted(winpy: str, tmp_path: Path) -> None:
    texts = samples(60, without="\t%")
    groups = [texts[start : start + 20] for start in range(0, len(texts), 20)]
    (tmp_path / "show.py").write_text("import sys; sys.stdout.buffer.write(ascii(sys.argv[1:]).encode())")
    driver = tmp_path / "driver.py"
    driver.write_text(BATCH_DRIVER.format(lines=[batch_command_line("show it.cmd", group) for group in groups]))
    printed = subprocess.run([winpy, str(driver)], check=True, stdin=subprocess.DEVNULL, capture_output=True).stdout
    shown = [ast.literal_eval(line) for line in printed.decode().replace("\r", "").split("\n")[:-1]]
    assert shown == groups


BATCH_DRIVER = """
import os, subprocess, sys
os.chdir(os.path.dirname(os.path.abspath(__file__)))
with open("show it.cmd", "w") as script:
    script.write(f'@"{{sys.executable}}" "%~dp0show.py" %*\\n')
for line in {lines!a}:
    command = "cmd.exe /d /e:on /v:off /s /c " + line
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    print(done.stdout.decode("ascii", "replace") or ascii([done.stderr]))
"""


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\0b", "%PATH%", "100%"])
def test_what_cmd_cannot_carry_is_named(text: str) -> None:
    with pytest.raises(UnquotableError, match="cannot contain"):
        quote_batch_argument(text)


@pytest.mark.parametrize("quote", [quote_bash, quote_powershell, quote_windows_argument])
def test_nul_is_named(quote: Callable[[str], str]) -> None:
    with pytest.raises(UnquotableError, match="NUL"):
        quote("a\0b")


@pytest.mark.parametrize("script", ["", 'a".cmd', "a\n.cmd", "dir\\", "a%b.cmd"])
def test_a_batch_file_needs_a_possible_name(script: str) -> None:
    with pytest.raises(UnquotableError, match="rename the batch file"):
        batch_command_line(script, [])


@given(ENCODABLE)
def test_a_batch_argument_never_leaves_its_quotes(text: str) -> None:
    if "\n" in text or "\r" in text or "%" in text:
        return
    quoted = quote_batch_argument(text)
    assert quoted.count('"') % 2 == 0
    outside = quoted.split('"')[::2]
    assert not set("&|<>^()%!\"' ;,=") & set("".join(outside))
