"""The executor against bash itself: the same command line in the same folder, in a fresh copy each.

What bash does was captured (`python test_engine_like_bash.py` writes `engine_expected.jsonl` anew), so that the engine
can be compared with it on systems without bash; where there is one, it is asked again.
"""

import json
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pi_shell import constant, parse
from pi_shell.queries import simple_commands
from pi_shell_engine.builtins import CONTRACT
from pi_shell_engine.engine.state_builtins import STATE_BUILTINS

HERE = Path(__file__).parent
CASES = tomllib.loads((HERE / "engine_cases.toml").read_text("utf-8"))
DIVERGENCES = tomllib.loads((HERE / "engine_divergences.toml").read_text("utf-8"))["case"]
EXPECTED = HERE / "engine_expected.jsonl"
FILES = {
    "a.txt": "alpha\nbeta\ngamma\n",
    "b.txt": "one two\nthree\n",
    "dir/c.py": "x=1\n",
    "dir/d.py": "y=2\n",
    "sp ace.txt": "s\n",
    ".hid": "h\n",
}
UNIX_ONLY = ("$PATH", "=/tmp", "/dev/full", "/dev/fd", "\\r\\n", " \\\\n", "b > /dev/stdout; } > f")
"""The last three: line ends of programs become newlines in `$(…)` on Windows, two backslashes begin a server name, and
an open file cannot be opened anew."""
MESSAGES = "e"
"""The file into which cases send messages, whose wording is our own."""
Seen = dict[str, Any]


def fill(box: Path) -> None:
    shutil.rmtree(box, ignore_errors=True)
    for name, text in FILES.items():
        file = box / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def seen(box: Path, out: bytes, status: int, err: bytes) -> Seen:
    """What a command did, with the name of its folder taken out; text stands for bytes one to one."""
    here = str(box).replace("\\", "/").encode()
    there = {file.relative_to(box).as_posix(): _content(file, here) for file in sorted(box.rglob("*"))}
    before = dict.fromkeys(("dir",), "") | FILES
    files = {name: text for name, text in there.items() if before.get(name) != text}
    files |= {name: None for name in before if name not in there}
    return {"out": out.replace(here, b"BOX").decode("latin-1"), "status": status, "err": bool(err), "files": files}


def _content(file: Path, here: bytes) -> str:
    if not file.is_file() or file.name == MESSAGES:
        return ""
    return file.read_bytes().replace(here, b"BOX").decode("latin-1")


def in_bash(bash: str, command: str, box: Path, env: Mapping[str, str]) -> Seen:
    fill(box)
    script = box.parent / "script"
    script.write_bytes(command.encode() + b"\n")
    argv = [bash, "--norc", "--noprofile", str(script)]
    env = {**env, "HOME": str(box)}
    done = subprocess.run(argv, cwd=box, env=env, stdin=-3, capture_output=True, timeout=60, check=False)
    return seen(box, done.stdout, done.returncode, done.stderr)


@pytest.fixture
def in_engine(sh: Callable[..., Any], base_env: dict[str, str], tmp_path: Path) -> Callable[[str], tuple[Seen, Any]]:
    def run(command: str) -> tuple[Seen, Any]:
        box = tmp_path / "box"
        fill(box)
        result = sh(command, cwd=box, env={**base_env, "HOME": str(box).replace("\\", "/")})
        return seen(box, result.out, result.status, result.err), result

    return run


def expected() -> dict[str, Seen]:
    rows = map(json.loads, EXPECTED.read_text("utf-8").splitlines())
    return {row["command"]: row["seen"] for row in rows}


def needs_unix(command: str) -> bool:
    """Whether a command asks for programs, folders or bytes that only Unix has."""
    words = [constant(word) for place in simple_commands(parse(command)) for word in place.command.words]
    names = {place.name for place in simple_commands(parse(command)) if place.command.words}
    known = names <= ({*CONTRACT, *STATE_BUILTINS, "nosuch", ""} - {"which"})
    rooted = any(word is not None and word.startswith("/") and word != "/dev/null" for word in words)
    return not known or rooted or any(text in command for text in UNIX_ONLY)


def commands(topic: str) -> Iterator[str]:
    for command in CASES[topic]["commands"]:
        if os.name != "nt" or not needs_unix(command):
            yield command


@pytest.mark.parametrize("topic", CASES)
def test_the_engine_does_what_bash_does(topic: str, in_engine: Callable[[str], tuple[Seen, Any]]) -> None:
    captured, wrong = expected(), []
    for command in commands(topic):
        got, result = in_engine(command)
        if got != captured[command] or result.refusal:
            wrong.append(
                f"{command}\n    bash:   {captured[command]}\n    engine: {got} {result.err!r} {result.refusal}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("topic", CASES)
def test_bash_still_does_what_was_captured(topic: str, bash: str, base_env: dict[str, str], tmp_path: Path) -> None:
    captured = expected()
    for command in CASES[topic]["commands"]:
        assert in_bash(bash, command, tmp_path / "box", base_env) == captured[command], command


@pytest.mark.parametrize("case", DIVERGENCES, ids=lambda case: case["command"])
def test_divergence_is_as_listed(
    case: dict[str, Any], bash: str, base_env: dict[str, str], in_engine: Callable[[str], Any], tmp_path: Path
) -> None:
    theirs = in_bash(bash, case["command"], tmp_path / "box", base_env)
    assert {"status": theirs["status"], "out": theirs["out"]} == case["bash"]
    ours, result = in_engine(case["command"])
    assert (ours["status"], ours["out"]) == (case["ours"]["status"], case["ours"]["out"])
    assert result.err.decode().startswith(case["ours"].get("err", ""))


def capture() -> None:
    """Write down what the bash of this machine does."""
    bash = shutil.which("bash")
    assert bash is not None
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TERM": "dumb"}
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            {"command": command, "seen": in_bash(bash, command, Path(folder) / "box", env)}
            for topic in CASES.values()
            for command in topic["commands"]
        ]
    EXPECTED.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    capture()
