"""Which interpreter runs the engine, and what is said when there is none."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pi_shell_engine.failures import EngineUnavailable
from pi_shell_engine.interpreter import RETRY_AFTER, FixedInterpreter, ManagedInterpreter, choose, run_uv
from pi_shell_engine.launch import engine_argv, engine_environment
from pi_shell_engine.settings import EngineSettings


class FakeUv:
    """Answers `uv` from a list of (exit code, output), and remembers what was asked."""

    def __init__(self, answers: Sequence[tuple[int | None, str]]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, ...]] = []

    async def __call__(self, arguments: tuple[str, ...], limit: float) -> tuple[int | None, str]:
        self.asked.append(arguments)
        return self.answers.pop(0)


@pytest.fixture
def python(tmp_path: Path) -> str:
    made = tmp_path / "python3.13"
    made.touch()
    return str(made)


FIND = ("python", "find", "3.13", "--no-project")
INSTALL = ("python", "install", "3.13")


async def test_a_python_that_uv_has_is_used_and_asked_for_once(python: str) -> None:
    uv = FakeUv([(0, f"{python}\n")])
    interpreter = ManagedInterpreter(uv)
    assert [await interpreter.path(), await interpreter.path()] == [python, python]
    assert uv.asked == [FIND]


async def test_a_missing_one_is_installed(python: str) -> None:
    uv = FakeUv([(2, "no interpreter"), (0, ""), (0, python)])
    assert await ManagedInterpreter(uv).path() == python
    assert uv.asked == [FIND, INSTALL, FIND]


@pytest.mark.parametrize(
    ("answers", "offline", "reason"),
    [
        ([(None, "uv is not available: not found"), (None, "uv is not available: not found")], False, "uv is not"),
        ([(2, ""), (1, "network unreachable")], False, "network unreachable"),
        ([(2, "")], True, "PI_OFFLINE"),
        ([(2, ""), (0, ""), (0, "/nowhere/python")], False, "does not find"),
    ],
)
async def test_without_one_the_reason_and_what_still_works_are_told(
    answers: list[tuple[int | None, str]], offline: bool, reason: str
) -> None:
    with pytest.raises(EngineUnavailable) as caught:
        await ManagedInterpreter(FakeUv(answers), offline=offline).path()
    for part in (reason, "runtime", "Simple commands still run", "uv or the network", "loops, pipelines, redirection"):
        assert part in str(caught.value)


async def test_a_failure_is_remembered_for_a_while_and_then_tried_again(python: str) -> None:
    now = [0.0]
    uv = FakeUv([(2, ""), (1, "down"), (0, python)])
    interpreter = ManagedInterpreter(uv, clock=lambda: now[0])
    for _ in range(3):
        with pytest.raises(EngineUnavailable):
            await interpreter.path()
    assert len(uv.asked) == 2
    now[0] = RETRY_AFTER + 1
    assert await interpreter.path() == python


async def test_the_default_is_the_running_interpreter_and_a_path_is_taken_as_it_is(python: str) -> None:
    assert EngineSettings().python == ""
    assert await choose("", {}).path() == sys.executable
    assert await choose(python, {}).path() == python
    assert isinstance(choose("managed", {}), ManagedInterpreter)
    with pytest.raises(EngineUnavailable, match=r"shellEngine\.python"):
        await FixedInterpreter("/nowhere/python").path()


async def test_a_uv_that_is_not_there_is_no_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda name, **options: None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    code, text = await run_uv(("python", "find"), 5.0)
    assert code is None
    assert "uv is not available" in text


def test_the_engine_is_started_isolated_and_sees_two_packages_only() -> None:
    argv = engine_argv("python")
    assert {"-I", "-S"} <= set(argv)
    assert len([word for word in argv if Path(word).is_dir()]) in (1, 2)
    assert engine_environment({"PYTHONHOME": "x", "PythonPath": "y", "PATH": "p"}) == {"PATH": "p"}
