"""Starts that fail say why, as different types with different remedies, and leave nothing behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pi_process import (
    BadWorkingDirectory,
    Cause,
    CommandLineTooLong,
    InvalidArgument,
    LaunchError,
    ProgramNotExecutable,
    ProgramNotFound,
    Spawn,
    Stdin,
    capture,
    run,
    start,
)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="permission bits and interpreter lines are POSIX")


def bad_spawns(folder: Path) -> dict[str, tuple[Spawn, type[LaunchError]]]:
    python = (sys.executable, "-c", "pass")
    (folder / "file").write_text("not a folder")
    (folder / "text.exe").write_text("not a program")
    (folder / "text.exe").chmod(0o755)
    return {
        "missing on PATH": (Spawn(("pi-no-such-program",)), ProgramNotFound),
        "missing path": (Spawn((str(folder / "none" / "tool"),)), ProgramNotFound),
        "missing, empty PATH": (Spawn(("git",), env={**os.environ, "PATH": ""}), ProgramNotFound),
        "not a program": (Spawn((str(folder / "text.exe"),)), ProgramNotExecutable),
        "missing folder": (Spawn(python, cwd=folder / "none"), BadWorkingDirectory),
        "file as folder": (Spawn(python, cwd=folder / "file"), BadWorkingDirectory),
        "bad folder and bad program": (Spawn(("pi-no-such-program",), cwd=folder / "none"), BadWorkingDirectory),
        "one huge argument": (Spawn((*python, "x" * 3_000_000)), CommandLineTooLong),
        "NUL in an argument": (Spawn((*python, "a\0b")), InvalidArgument),
        "NUL in a variable": (Spawn(python, env={**os.environ, "X": "a\0b"}), InvalidArgument),
    }


CASES = [
    "missing on PATH",
    "missing path",
    "missing, empty PATH",
    "not a program",
    "missing folder",
    "file as folder",
    "bad folder and bad program",
    "one huge argument",
    "NUL in an argument",
    "NUL in a variable",
]


@pytest.mark.parametrize("case", CASES)
async def test_a_failed_start_is_an_outcome_with_its_cause(case: str, tmp_path: Path) -> None:
    spawn, kind = bad_spawns(tmp_path)[case]
    outcome = await run(spawn)
    assert (outcome.cause, outcome.started, outcome.exit_code, outcome.pid) == (Cause.LAUNCH_FAILED, False, None, None)
    assert type(outcome.failure) is kind
    assert spawn.argv[0] in str(outcome.failure)
    assert outcome.failure.remedy in str(outcome.failure)


@pytest.mark.parametrize("case", CASES)
async def test_start_raises_what_run_reports(case: str, tmp_path: Path) -> None:
    spawn, kind = bad_spawns(tmp_path)[case]
    with pytest.raises(kind):
        await start(spawn)


def test_each_kind_has_its_own_remedy() -> None:
    kinds = (LaunchError, *LaunchError.__subclasses__())
    assert len({kind.default_remedy for kind in kinds}) == len(kinds) >= 7


@posix_only
async def test_a_file_without_permission_is_not_executable(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o644)
    outcome = await run(Spawn((str(script),)))
    assert type(outcome.failure) is ProgramNotExecutable


@posix_only
async def test_a_missing_interpreter_is_named_as_such(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    outcome = await run(Spawn(("./tool",), cwd=tmp_path))
    assert type(outcome.failure) is ProgramNotExecutable
    assert "interpreter" in str(outcome.failure)


@posix_only
async def test_failed_starts_leave_no_descriptor_open(tmp_path: Path) -> None:
    cases = bad_spawns(tmp_path).values()
    before = set(os.listdir("/dev/fd"))
    for spawn, _ in cases:
        await run(Spawn(spawn.argv, cwd=spawn.cwd, env=spawn.env, stdin=Stdin.PIPE, merge_stderr=False))
    assert len(os.listdir("/dev/fd")) == len(before)


@posix_only
async def test_without_free_descriptors_the_start_fails_and_names_it(child: Callable[..., Spawn]) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    spawn = child("pass")
    assert (await run(spawn)).ok
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            while True:
                held.append(os.dup(0))
        outcomes = []
        for _ in range(8):
            outcomes.append(await run(spawn))
            if held:
                os.close(held.pop())
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "Too many open files" in str(outcomes[0].failure)
    # With each freed descriptor the start gets further; it fails cleanly or works, and the last ones work.
    assert {outcome.cause for outcome in outcomes} == {Cause.LAUNCH_FAILED, Cause.EXITED}
    assert outcomes[-1].ok


async def test_a_relative_program_is_relative_to_the_childs_directory(tmp_path: Path) -> None:
    name = "probe.cmd" if sys.platform == "win32" else "probe"
    (tmp_path / "bin").mkdir()
    text = "@echo found\r\n" if sys.platform == "win32" else "#!/bin/sh\necho found\n"
    (tmp_path / "bin" / name).write_text(text, newline="")
    (tmp_path / "bin" / name).chmod(0o755)
    done = await capture(Spawn((os.path.join(".", "bin", "probe"),), cwd=tmp_path))
    assert done.stdout.split() == [b"found"], done.outcome.failure
