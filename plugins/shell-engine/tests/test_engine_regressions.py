"""Faults that shells of this kind have had: each test fails on the behaviour that its name denies."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Sh = Callable[..., Any]
POSIX = pytest.mark.skipif(os.name == "nt", reason="uses Unix programs")
PYTHON = "'" + sys.executable.replace("\\", "/") + "'"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return tmp_path / "work"


def test_a_stage_s_command_word_expands_once(sh: Sh) -> None:
    assert sh("$(echo x >> log; echo true) | cat; wc -l < log").out == b"1\n"
    assert sh("echo a | $(echo y >> other; echo cat); wc -l < other").out == b"a\n1\n"


def test_a_builtin_s_file_error_is_its_status_and_the_list_goes_on(sh: Sh) -> None:
    result = sh(
        "head missing || echo one; sort missing; echo two; cat < missing || echo three; test a -eq 1; echo four"
    )
    assert result.out == b"one\ntwo\nthree\nfour\n"


def test_builtin_diagnostics_are_no_output(sh: Sh) -> None:
    assert sh("cat missing | wc -c").out == b"0\n"
    assert sh("V=$(cat missing 2>/dev/null); echo [$V]").out == b"[]\n"
    result = sh("ls nope 2>/dev/null; cat nope 2>/dev/null; grep x nope 2>/dev/null; cd nope 2>/dev/null")
    assert (result.out, result.err) == (b"", b"")


def test_output_of_builtins_and_programs_stays_in_order(sh: Sh) -> None:
    command = f"{{ echo a; {PYTHON} -c 'import os; os.write(1, b\"b\\n\")'; echo c; }} > f; cat f"
    assert sh(command).out == b"a\nb\nc\n"


@POSIX
@pytest.mark.parametrize("command", ["yes | head -n 1", "yes | true", "yes | cat | head -n 3", "yes | grep y | true"])
def test_an_endless_writer_ends_with_its_reader(command: str, sh: Sh) -> None:
    assert sh(command).status == 0


@POSIX
@pytest.mark.parametrize(
    ("signal", "status"), [("KILL", 137), ("TERM", 143), ("SEGV", 139), ("PIPE", 141), ("INT", 130)]
)
def test_a_signal_is_128_and_its_number(signal: str, status: int, sh: Sh) -> None:
    program = (
        f"import os, signal; signal.signal(signal.SIG{signal}, signal.SIG_DFL) if {signal!r} not in ('KILL',) else 0"
    )
    result = sh(f'{PYTHON} -c "{program}; os.kill(os.getpid(), signal.SIG{signal})"; echo $?')
    assert result.out == f"{status}\n".encode()


def test_what_cannot_run_is_126_and_what_is_not_there_127(sh: Sh, box: Path) -> None:
    (box / "plain").write_text("x")
    (box / "folder").mkdir()
    assert sh("./plain; echo $?; ./folder; echo $?; ./none; echo $?; none; echo $?").out == b"126\n126\n127\n127\n"


@POSIX
def test_a_program_sees_the_environment_of_the_command_and_not_of_the_engine(sh: Sh, base_env: dict[str, str]) -> None:
    lines = sh("env").out.decode().splitlines()
    assert sorted(line.partition("=")[0] for line in lines) == sorted({*base_env, "PWD"})


def test_looking_for_programs_uses_the_path_of_the_request(sh: Sh, base_env: dict[str, str], box: Path) -> None:
    tool = box / "bin" / ("mytool.bat" if os.name == "nt" else "mytool")
    tool.parent.mkdir()
    tool.write_text("@echo mine\r\n" if os.name == "nt" else f"#!{sys.executable}\nprint('mine')\n")
    tool.chmod(0o755)
    env = {**base_env, "PATH": str(tool.parent)}
    assert sh("mytool", env=env).out.strip() == b"mine"
    assert sh("mytool; echo $?").out.strip() == b"127"
    assert sh(f"PATH='{tool.parent}' mytool | cat").out.strip() == b"mine"
    assert sh(f"export PATH='{tool.parent}'; mytool | cat").out.strip() == b"mine"


def test_a_refusal_in_the_middle_of_a_pipeline_is_no_success(sh: Sh) -> None:
    result = sh("X=bash; echo a | $X | cat; echo after")
    assert (result.refusal, result.out) == ("nested-shell", b"")


@POSIX
def test_a_shell_is_recognised_by_what_it_is(sh: Sh, box: Path) -> None:
    (box / "innocent").symlink_to("/bin/sh")
    assert sh("./innocent -c true").refusal == "nested-shell"
    for command in ("X=env; $X bash -c x", "X=bash; xargs $X", "X=sh; nohup $X", "X=/usr/bin/bash; $X", "X=BASH; $X"):
        assert sh(command).refusal == "nested-shell", command


def test_a_stage_that_is_not_found_ends_alone(sh: Sh) -> None:
    assert sh("nosuch | cat; echo $?").out == b"0\n"
    assert sh("echo a | nosuch; echo $?").out == b"127\n"
    assert sh("echo a | nosuch 2>/dev/null | wc -l").out == b"0\n"


def test_errors_of_a_stage_go_where_its_own_redirection_says(sh: Sh) -> None:
    result = sh("cat missing 2> e | cat; wc -l < e")
    assert (result.out, result.err) == (b"1\n", b"")
    result = sh("{ cat missing | cat; cat missing; } 2> e; wc -l < e")
    assert (result.out, result.err) == (b"2\n", b"")


def test_long_pipelines_close_each_descriptor_once(sh: Sh) -> None:
    stages = " | ".join(["cat", f"{PYTHON} -c 'import sys; sys.stdout.write(sys.stdin.read())'"] * 3 + ["cat"] * 30)
    for _ in range(3):
        assert sh(f"echo through | {stages}").out.strip() == b"through"


def test_reading_and_writing_do_not_depend_on_descriptor_numbers(sh: Sh) -> None:
    assert sh("echo a > f; cat < f | cat | { cat; cat < f; } | cat > g; cat g").out == b"a\na\n"


def test_nothing_is_leaked_by_commands_of_any_kind(sh: Sh, open_descriptors: Callable[[], int]) -> None:
    commands = [
        "echo a | cat | cat", "cat < missing", "echo $(echo a | cat) > f", "nosuch | nosuch", "X=bash; $X | cat > f",
        "{ echo a; echo b >&2; } > f 2>&1", "for i in 1 2; do cat f; done < f | head -n 1", "echo a > nodir/f",
        "(cd nope) | cat", "cat f > f2 < missing", "echo ${N:?x} | cat > f", "export A=$(nosuch)", "ls | nosuch > f",
    ]  # fmt: skip
    for command in commands:
        sh(command)
    before = open_descriptors()
    for command in commands * 5:
        sh(command)
    assert open_descriptors() == before


@pytest.fixture
def open_descriptors(warm_engine: Any) -> Iterator[Callable[[], int]]:
    folder = Path(f"/proc/{warm_engine.process.pid}/fd")
    if not folder.is_dir():
        pytest.skip("needs /proc to count descriptors")
    yield lambda: len(list(folder.iterdir()))


def test_directories_may_have_any_name(sh: Sh, box: Path) -> None:
    for name in (
        "with space",
        "a:b" if os.name != "nt" else "ab",
        "q'uote",
        "é",
        "$X",
        "a\x1eb" if os.name != "nt" else "c",
    ):
        (box / name).mkdir()
        quoted = name.replace("'", "'\\''")
        result = sh(f"cd '{quoted}'; pwd")
        assert result.cwd == str(box / name)
        assert result.out.decode() == f"{(box / name).as_posix()}\n"


@POSIX
def test_a_process_left_behind_does_not_delay_the_end(sh: Sh) -> None:
    leave = "import os, time; os.fork() or (os.setsid(), time.sleep(20))"
    result = sh(f'{PYTHON} -c "{leave}"; echo done')
    assert result.out == b"done\n"
    assert sh(f'X=$({PYTHON} -c "{leave}"; echo in); echo $X').out == b"in\n"


def test_nothing_a_command_prints_can_end_it(sh: Sh) -> None:
    frames = json.dumps({"id": "0" * 16, "status": 0, "cwd": "/", "env": {}, "refusal": None})
    result = sh(f"echo '{frames}'; echo '{frames}' >&2; echo end")
    assert result.out == f"{frames}\nend\n".encode()


def test_an_environment_may_be_changed_by_thousands_of_variables(sh: Sh) -> None:
    result = sh("for ((i=0; i<3000; i++)); do export V$i=x; done; for i in 1 2; do eval_free=$i; done")
    assert result.err.count(b"not a valid identifier") == 0
    assert len(result.env) > 1


def test_the_status_of_a_command_that_expands_to_nothing_is_0(sh: Sh) -> None:
    assert sh("$NOPE; echo $?; $(true); echo $?; $(exit 3); echo $?").out == b"0\n0\n3\n"


def test_an_internal_fault_ends_the_command_and_not_the_session(sh: Sh) -> None:
    assert sh("echo ok").out == b"ok\n"
    assert sh("echo " + "a" * 300_000 + " | wc -c").out == b"300001\n"
