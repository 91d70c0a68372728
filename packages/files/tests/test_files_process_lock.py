"""A process lock keeps other processes out, and nothing it leaves behind keeps anybody out for ever."""

import subprocess
import sys
from pathlib import Path

import pytest
from pi_files.errors import FileError
from pi_files.process_lock import LockedElsewhere, process_lock

HOLD = """
import sys
from pathlib import Path
from pi_files.process_lock import process_lock
with process_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""
COUNT = """
import sys
from pathlib import Path
from pi_files.process_lock import process_lock
counter = Path(sys.argv[2])
for _ in range(50):
    with process_lock(Path(sys.argv[1]), 60):
        counter.write_text(str(int(counter.read_text()) + 1))
"""


def holder(lock: Path) -> "subprocess.Popen[str]":
    """Start a process that holds the lock until its standard input ends."""
    command = [sys.executable, "-c", HOLD, str(lock)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline().strip() == "held"
    return process


def test_it_waits_no_longer_than_told_and_says_what_to_do(tmp_path: Path) -> None:
    lock = tmp_path / "made" / "on the way.lock"
    with holder(lock) as process:
        with (
            pytest.raises(LockedElsewhere, match=r"on the way\.lock for 0\.05 s; let it finish"),
            process_lock(lock, 0.05),
        ):
            pytest.fail("two processes held one lock")
        process.communicate("")
    with process_lock(lock, 30):
        assert lock.exists()


def test_a_place_without_room_for_a_lock_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match=r"cannot lock .*here\.lock"), process_lock(tmp_path / "file" / "here.lock"):
        pytest.fail("there is no lock")


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    lock = tmp_path / "x.lock"
    with holder(lock) as process:
        process.kill()
        process.wait(60)
        with process_lock(lock, 30):
            pass


def test_an_error_inside_gives_the_lock_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), process_lock(tmp_path / "x.lock"):
        raise ZeroDivisionError
    with process_lock(tmp_path / "x.lock", 30):
        pass


def test_two_processes_take_turns(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path / "x.lock"), str(counter)]
    with subprocess.Popen(command) as one, subprocess.Popen(command) as other:
        assert (one.wait(120), other.wait(120)) == (0, 0)
    assert counter.read_text() == "100"
