"""Command lines for Windows: what is quoted how, and what is refused. Runs on every system."""

from __future__ import annotations

import pytest
from pi_process import CommandLineTooLong, UnsafeBatchCommand
from pi_process.windows.command_line import BATCH_LIMIT, PROGRAM_LIMIT, batch_line, program_line

CMD = r"C:\Windows\System32\cmd.exe"
BEGIN = f'"{CMD}" /e:ON /v:OFF /d /s /c "'


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (("a.exe",), "a.exe"),
        ((r"C:\Program Files\a.exe", "x"), r'"C:\Program Files\a.exe" x'),
        (("a.exe", ""), 'a.exe ""'),
        (("a.exe", 'say "hi"'), r'a.exe "say \"hi\""'),
        (("a.exe", "tail\\"), "a.exe tail\\"),
        (("a.exe", "tail \\"), 'a.exe "tail \\\\"'),
        (("a.exe", "%PATH%", "a&b"), "a.exe %PATH% a&b"),
    ],
)
def test_lines_for_programs(argv: tuple[str, ...], line: str) -> None:
    assert program_line(argv) == line


@pytest.mark.parametrize(
    ("argument", "word"),
    [
        ("plain-1.2_3", "plain-1.2_3"),
        ("", '""'),
        ("a b", '"a b"'),
        ("a&b|c<d>e^f", '"a&b|c<d>e^f"'),
        ("(x)", '"(x)"'),
        ("a,b;c=d", '"a,b;c=d"'),
        ("!x!", '"!x!"'),
        ('say "hi"', '"say ""hi"""'),
        ('" & calc & "', '""" & calc & """'),
        ("tail\\", '"tail\\\\"'),
        ('\\"', '"\\\\"""'),
        ("é漢", '"é漢"'),
    ],
)
def test_words_for_batch_files(argument: str, word: str) -> None:
    assert batch_line(CMD, (r"C:\x.cmd", argument), "C:\\") == f'{BEGIN}C:\\x.cmd {word}"'


def test_quotes_never_open_outside_a_word() -> None:
    for argument in ('"', '""', 'a"b', '"&"', '\\"&', 'a\\\\"'):
        words = batch_line(CMD, (r"C:\my dir\x.cmd", argument), "C:\\").removeprefix(BEGIN)[:-1]
        outside = "".join(words.split('"')[::2])
        assert set(outside) <= {" "}, words


@pytest.mark.parametrize("argument", ["100%", "%PATH%", "a\nb", "a\rb", "a\0b"])
@pytest.mark.parametrize("place", [0, 1])
def test_what_cmd_would_read_inside_quotes_is_refused(argument: str, place: int) -> None:
    argv = [r"C:\x.cmd", "harmless"]
    argv[place] += argument
    with pytest.raises(UnsafeBatchCommand, match="call the program behind the batch file"):
        batch_line(CMD, argv, "C:\\")


@pytest.mark.parametrize("directory", [r"\\wsl.localhost\Ubuntu\home", "//server/share", r"\\?\C:\work"])
def test_folders_cmd_cannot_work_in_are_refused(directory: str) -> None:
    with pytest.raises(UnsafeBatchCommand, match="drive letter"):
        batch_line(CMD, (r"C:\x.cmd",), directory)


def test_length_is_measured_after_quoting_in_utf16_units() -> None:
    fits = PROGRAM_LIMIT - len("a.exe ") - 1
    assert len(program_line(("a.exe", "x" * fits))) == PROGRAM_LIMIT - 1
    with pytest.raises(CommandLineTooLong, match="32768 units of 32767"):
        program_line(("a.exe", "x" * (fits + 1)))
    with pytest.raises(CommandLineTooLong):
        program_line(("a.exe", "😀" * (fits // 2 + 1)))
    with pytest.raises(CommandLineTooLong):
        program_line(("a.exe", '"' * (fits // 2 + 1)))


def test_batch_files_have_the_shorter_limit_of_cmd() -> None:
    room = BATCH_LIMIT - len(batch_line(CMD, ("x.cmd", ""), "C:\\")) - 1
    assert batch_line(CMD, ("x.cmd", " " * room), "C:\\")
    with pytest.raises(CommandLineTooLong, match="8191"):
        batch_line(CMD, ("x.cmd", " " * (room + 1)), "C:\\")
