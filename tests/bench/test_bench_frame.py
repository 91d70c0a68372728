"""The frame measures what it says: memory and CPU of the program itself, medians, and failures by name."""

import sys
from pathlib import Path

import pytest

from tests.bench.frame import CommandFailed, Contender, Launcher, Usage, measure, middle, table

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="os.wait4 is absent on Windows")


def python(name: str, code: str, folder: Path, status: int = 0) -> Contender:
    return Contender(name, [sys.executable, "-c", code], {"MARK": "seen"}, folder, status)


def test_memory_is_that_of_the_program_and_not_of_its_starter(tmp_path: Path) -> None:
    ballast = bytearray(200 * 2**20)
    with Launcher() as launcher:
        small = launcher.run(python("small", "pass", tmp_path))
        large = launcher.run(python("large", f"x = b'1' * {80 * 2**20}", tmp_path))
    assert small.peak < 40 < len(ballast) / 2**20
    assert 75 < large.peak - small.peak < 90


def test_cpu_time_is_told_apart_from_waiting(tmp_path: Path) -> None:
    with Launcher() as launcher:
        waiting = launcher.run(python("waiting", "import select; select.select([], [], [], 0.3)", tmp_path))
        working = launcher.run(
            python("working", "import time; next(t for t in iter(time.process_time, -1) if t >= 0.3)", tmp_path)
        )
    assert waiting.wall >= 0.3 and waiting.cpu < 0.3
    assert working.cpu >= 0.3


def test_a_command_gets_its_folder_and_its_environment_only(tmp_path: Path) -> None:
    given = f"os.getcwd() == {str(tmp_path)!r} and os.environ.get('MARK') == 'seen' and 'HOME' not in os.environ"
    code = f"import os, sys; sys.exit(not ({given}))"
    with Launcher() as launcher:
        launcher.run(python("inspect", code, tmp_path))


def test_a_failing_command_is_named_with_its_output(tmp_path: Path) -> None:
    with Launcher() as launcher, pytest.raises(CommandFailed, match=r"(?s)broken ended with 3:.*the reason"):
        launcher.run(python("broken", "import sys; print('the reason'); sys.exit(3)", tmp_path))


def test_contenders_run_in_turn(tmp_path: Path) -> None:
    log = tmp_path / "log"
    note = "open({!r}, 'a').write({!r})"
    found = measure([python(name, note.format(str(log), name), tmp_path) for name in "ab"], rounds=3)
    assert log.read_text() == "abababab"
    assert set(found) == {"a", "b"}


def test_medians_and_ratios() -> None:
    runs = [Usage(1, 10, 5), Usage(3, 30, 6), Usage(2, 20, 50)]
    assert middle(runs) == Usage(2, 20, 6)
    text = table("title", {"base": Usage(0.01, 0.02, 10), "other": Usage(0.025, 0.02, 15)}, "base")
    assert "| other | 25.0 | 2.50 | 20.0 | 1.00 | 15.0 | 1.50 |" in text
