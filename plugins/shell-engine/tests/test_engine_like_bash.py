"""The executor against bash itself: the same command line in the same folder, in a fresh copy each."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "engine_cases.toml").read_text("utf-8"))
DIVERGENCES = tomllib.loads((HERE / "engine_divergences.toml").read_text("utf-8"))["case"]
FILES = {
    "a.txt": "alpha\nbeta\ngamma\n",
    "b.txt": "one two\nthree\n",
    "dir/c.py": "x=1\n",
    "dir/d.py": "y=2\n",
    "sp ace.txt": "s\n",
    ".hid": "h\n",
}
Seen = tuple[bytes, int, bool, dict[str, bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[], Path]:
    def fresh() -> Path:
        made = tmp_path / "box"
        shutil.rmtree(made, ignore_errors=True)
        for name, text in FILES.items():
            file = made / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        return made

    return fresh


def tree(folder: Path) -> dict[str, bytes]:
    """Every file with its content; what is only told on standard error may be worded differently, so `e` is not."""
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.is_file() and file.name != "e" else b""
        for file in folder.rglob("*")
    }


@pytest.fixture
def in_bash(bash: str, base_env: dict[str, str], folder: Callable[[], Path]) -> Callable[[str], Seen]:
    def run(command: str) -> Seen:
        box = folder()
        script = box.parent / "script"
        script.write_bytes(command.encode() + b"\n")
        argv = [bash, "--norc", "--noprofile", str(script)]
        env = {**base_env, "HOME": str(box)}
        done = subprocess.run(argv, cwd=box, env=env, stdin=-3, capture_output=True, timeout=60, check=False)
        return done.stdout, done.returncode, bool(done.stderr), tree(box)

    return run


@pytest.fixture
def in_engine(sh: Callable[..., Any], base_env: dict[str, str], folder: Callable[[], Path]) -> Callable[[str], Any]:
    def run(command: str) -> Any:
        box = folder()
        return sh(command, cwd=box, env={**base_env, "HOME": str(box)}), tree(box)

    return run


@pytest.mark.parametrize("topic", CASES)
def test_equals_bash(topic: str, in_bash: Callable[[str], Seen], in_engine: Callable[[str], Any]) -> None:
    wrong = []
    for command in CASES[topic]["commands"]:
        expected = in_bash(command)
        result, files = in_engine(command)
        seen = (result.out, result.status, bool(result.err), files)
        if seen != expected or result.refusal:
            wrong.append(f"{command}\n    bash:   {expected}\n    engine: {seen} {result.err!r} {result.refusal}")
    assert not wrong, os.linesep.join(wrong)


@pytest.mark.parametrize("case", DIVERGENCES, ids=lambda case: case["command"])
def test_divergence_is_as_listed(
    case: dict[str, Any], in_bash: Callable[[str], Seen], in_engine: Callable[[str], Any]
) -> None:
    out, status, _, _ = in_bash(case["command"])
    assert {"status": status, "out": out.decode()} == case["bash"]
    result, _ = in_engine(case["command"])
    assert (result.status, result.out.decode()) == (case["ours"]["status"], case["ours"]["out"])
    assert result.err.decode().startswith(case["ours"].get("err", ""))
