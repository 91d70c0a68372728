"""What can be asked for, and what is refused before anything starts."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
from pi_process import Drain, LaunchError, ProgramNotFound, Spawn, Stdin, Stream, UnsafeBatchCommand


def test_defaults_close_stdin_and_merge_stderr() -> None:
    spawn = Spawn(("tool",))
    assert spawn.stdin is Stdin.CLOSED
    assert spawn.streams == (Stream.STDOUT,)
    assert Spawn(("tool",), merge_stderr=False).streams == (Stream.STDOUT, Stream.STDERR)


def test_argv_from_any_sequence_becomes_a_tuple() -> None:
    assert Spawn(["tool", "-x"]).argv == ("tool", "-x")  # type: ignore[arg-type]


@pytest.mark.parametrize(("argv", "error"), [((), ValueError), (("",), ValueError), ("tool -x", TypeError)])
def test_argv_without_a_program_or_as_one_string_is_refused(argv: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"Spawn\.argv"):
        Spawn(argv)  # type: ignore[arg-type]


@pytest.mark.parametrize("times", [(-1, 5), (0.3, -0.1)])
def test_negative_drain_times_are_refused(times: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="not negative"):
        Drain(*times)


@pytest.mark.parametrize("kind", [LaunchError, ProgramNotFound, UnsafeBatchCommand])
def test_launch_errors_survive_pickling_with_their_parts(kind: type[LaunchError]) -> None:
    error = pickle.loads(pickle.dumps(kind("tool", "it is not there")))
    assert type(error) is kind
    assert (error.program, error.reason, error.remedy) == ("tool", "it is not there", kind.default_remedy)
    assert str(error) == f"cannot start tool: it is not there; {kind.default_remedy}"


def test_importing_the_package_does_not_import_asyncio() -> None:
    code = "import sys, pi_process; print('asyncio' in sys.modules, 'ctypes' in sys.modules, 'tempfile' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "False"]


def test_every_exported_name_exists() -> None:
    import pi_process

    for name in pi_process.__all__:
        assert getattr(pi_process, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        pi_process.nonsense  # noqa: B018
