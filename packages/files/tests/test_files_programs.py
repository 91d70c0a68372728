"""Programs whose output is read record by record; Python itself plays the program."""

import asyncio
import sys
from pathlib import Path

import pytest
from pi_files.errors import Failed
from pi_files.programs import ProgramRun, find_program, program_version

DEADLINE = 60.0


def run(code: str, cwd: Path, *, separator: bytes = b"\n", timeout: float = DEADLINE) -> ProgramRun:
    return ProgramRun([sys.executable, "-c", code], cwd, separator=separator, timeout=timeout)


@pytest.mark.parametrize(
    ("output", "separator", "records"),
    [
        (b"", b"\n", []),
        (b"a\nb\n", b"\n", [b"a", b"b"]),
        (b"a\n\nb", b"\n", [b"a", b"", b"b"]),
        (b"a\nb\0c\0", b"\0", [b"a\nb", b"c"]),
        (b"x" * 300_000 + b"\n" + b"y" * 10, b"\n", [b"x" * 300_000, b"y" * 10]),
    ],
    ids=["nothing", "lines", "no final separator", "NUL", "long"],
)
async def test_output_comes_as_records(tmp_path: Path, output: bytes, separator: bytes, records: list[bytes]) -> None:
    (tmp_path / "output").write_bytes(output)
    code = "import sys; sys.stdout.buffer.write(open('output', 'rb').read())"
    async with run(code, tmp_path, separator=separator) as program:
        assert [record async for record in program] == records
    assert (program.exit_code, program.problem, program.timed_out) == (0, "", False)


async def test_failure_is_told_with_the_programs_own_words(tmp_path: Path) -> None:
    async with run("import sys; print('one'); sys.exit('no such luck')", tmp_path) as program:
        assert [record.strip() async for record in program] == [b"one"]
    assert (program.exit_code, program.problem) == (1, "no such luck")


async def test_a_program_that_takes_too_long_is_stopped_and_what_it_said_is_kept(tmp_path: Path) -> None:
    code = "import time; print('one', flush=True); time.sleep(600)"
    records: list[bytes] = []
    for timeout in (1.0, 5.0, 25.0):  # A busy machine may not even start it within the first.
        program = run(code, tmp_path, timeout=timeout)
        async with asyncio.timeout(DEADLINE), program:
            records = [record.strip() async for record in program]
        assert program.timed_out and program.exit_code is None
        if records:
            break
    assert records == [b"one"]


async def test_leaving_early_stops_the_program(tmp_path: Path) -> None:
    code = "import itertools\nfor n in itertools.count(): print(n)"
    async with asyncio.timeout(DEADLINE):
        async with run(code, tmp_path) as program:
            async for record in program:
                if record.strip() == b"10":
                    break
    assert program.exit_code is None


async def test_a_program_that_does_not_start_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="could not be run"):
        async with ProgramRun([str(tmp_path / "missing")], tmp_path, timeout=DEADLINE):
            pytest.fail("it started")


async def test_versions_are_read() -> None:
    assert await program_version(sys.executable) == sys.version_info[:3]


async def test_a_program_without_a_version_has_none(tmp_path: Path) -> None:
    assert await program_version(str(tmp_path / "missing")) == ()


def test_programs_are_found_by_their_first_name_that_exists() -> None:
    folder = str(Path(sys.executable).parent)
    assert find_program("no-such-program", Path(sys.executable).stem, path=folder) is not None
    assert find_program("no-such-program", path=folder) is None
