"""The kernel's own command line: `--version`, the dispatch to one plugin's command, and its failures."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pi_kernel import __version__, main
from pi_kernel.loader import PluginSource


def install(monkeypatch: pytest.MonkeyPatch, **targets: str) -> None:
    sources = {word: PluginSource(word, target, f"pi-{word}", "1", "", "") for word, target in targets.items()}
    monkeypatch.setattr(main, "installed_commands", lambda bundle="": sources)


def record(kernel: Any, arguments: list[str]) -> int:
    print("ran", arguments)
    return 7


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "recorder", sys.modules[__name__])
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))


@pytest.mark.parametrize("flag", ["--version", "-v", "-V"])
def test_version(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([flag], bundle="") == 0
    assert capsys.readouterr().out == f"pi {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "handed_on"),
    [
        (["tidy", "--fast", "x"], ["--fast", "x"]),
        (["tell", "me"], ["tell", "me"]),
        (["--tidy"], ["--tidy"]),
        ([], []),
    ],
)
def test_a_known_first_word_chooses_the_command_and_anything_else_is_a_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], handed_on: list[str]
) -> None:
    install(monkeypatch, tidy="recorder:record", run="recorder:record")
    assert main.main(arguments, bundle="") == 7
    assert capsys.readouterr().out == f"ran {handed_on}\n"


def test_without_a_run_command_the_missing_distribution_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch)
    assert main.main(["hello"], bundle="") == 2
    assert "pi-cli" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["no_such_module:main", "recorder:no_such_function"])
def test_a_command_that_cannot_be_loaded_is_named_with_its_distribution(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    install(monkeypatch, tidy=target)
    assert main.main(["tidy"], bundle="") == 1
    assert "pi-tidy" in capsys.readouterr().err


def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pi_kernel", "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"pi {__version__}\n"


PROGRAM = (
    "from pi_kernel import main; from pi_kernel.loader import PluginSource;"
    "main.installed_commands = lambda bundle: {'run': PluginSource('run', 't_command:run', 'd', '1', '', '')};"
    "raise SystemExit(main.main([], bundle=''))"
)


def start_command(folder: Path, body: str, **options: Any) -> "subprocess.Popen[bytes]":
    """A process that runs a command of this body."""
    (folder / "t_command.py").write_text(f"def run(kernel, arguments):\n    {body}\n    return 0\n", "utf-8")
    env = {**os.environ, "PYTHONPATH": str(folder), "PI_CODING_AGENT_DIR": str(folder)}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=env, stderr=subprocess.PIPE, **options)


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader is another error on Windows")
@pytest.mark.parametrize("body", ["print('x' * 200000)", "print('short, so it waits in the buffer')"])
def test_a_reader_that_goes_away_ends_every_command_without_a_word(tmp_path: Path, body: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    started = start_command(tmp_path, body, stdout=writing)
    os.close(writing)
    assert (started.communicate(timeout=60)[1], started.returncode) == (b"", 141)


def test_an_interrupted_command_says_so_by_its_status_alone(tmp_path: Path) -> None:
    started = start_command(tmp_path, "raise KeyboardInterrupt")
    assert (started.communicate(timeout=60)[1], started.returncode) == (b"", 130)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the current directory of a process")
def test_a_current_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    started = start_command(tmp_path, "print('unreached')", cwd=gone, preexec_fn=gone.rmdir)
    assert b"no longer exists" in started.communicate(timeout=60)[1]
    assert started.returncode == 2


def test_commands_speak_utf_8_with_line_feeds_whatever_the_system_prefers(tmp_path: Path) -> None:
    (tmp_path / "t_speaker.py").write_text(
        "def speak(kernel, arguments):\n    print('né → 你好 \\ud800')\n    return 0\n", "utf-8"
    )
    code = (
        "from pi_kernel import main; from pi_kernel.loader import PluginSource;"
        "main.installed_commands = lambda bundle: {'run': PluginSource('run', 't_speaker:speak', 'd', '1', '', '')};"
        "raise SystemExit(main.main([], bundle=''))"
    )
    env = {
        **os.environ,
        "PYTHONIOENCODING": "cp1252",
        "PYTHONPATH": str(tmp_path),
        "PI_CODING_AGENT_DIR": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "né → 你好 ?\n".encode()), done.stderr
