"""`pi shell` as a program: one command, an explanation, a machine's lines, a prompt."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DEADLINE = 120.0


@pytest.fixture
def pi_shell(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    env = {**os.environ, "PI_CODING_AGENT_DIR": str(tmp_path / "agent"), "HOME": str(tmp_path)}
    work = tmp_path / "work"
    work.mkdir()

    def run(*arguments: str, stdin: str = "", **more: Any) -> "subprocess.CompletedProcess[str]":
        argv = [sys.executable, "-m", "pi_kernel", "shell", *arguments]
        env.update(more)
        return subprocess.run(
            argv,
            cwd=work,
            env=env,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=DEADLINE,
            check=False,
        )

    return run


def test_one_command_with_its_status_output_and_errors_apart(pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "contract", "-c", "echo out | cat; echo err >&2; (exit 3)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_a_refusal_exits_2_and_names_itself(pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "contract", "-c", "echo a > file; bash -c x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pi shell: nested-shell: ")
    assert pi_shell("--tier", "contract", "-c", "test -e file").returncode == 1


def test_a_timeout_exits_124(pi_shell: Callable[..., Any]) -> None:
    limit = "5" if os.name == "nt" else "1.5"
    done = pi_shell("--tier", "engine", "--timeout", limit, "-c", "echo first; for ((;;)); do true; done")
    assert (done.returncode, done.stdout) == (124, "first\n")
    assert f"timed out after {limit} s" in done.stderr


def test_a_tier_that_is_not_there_is_a_usage_error(pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "nosuch", "-c", "true")
    assert done.returncode == 2
    assert "nosuch" in done.stderr
    assert "engine" in done.stderr


def test_commands_on_standard_input_are_one_command(pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "contract", stdin="X=1\necho $X\nexit 4\n")
    assert (done.returncode, done.stdout) == (4, "1\n")


def test_explain_tells_the_tier_the_tree_and_the_reason(pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "contract", "--explain", "-c", "ls | wc -l")
    assert done.returncode == 0
    assert done.stdout.startswith("tier: engine\n")
    assert '"type": "Pipeline"' in done.stdout
    told = json.loads(pi_shell("--tier", "contract", "--explain", "--json", "-c", "ls | wc -l").stdout)
    assert (told["tier"], told["refusal"], told["ast"]["type"]) == ("engine", None, "List")


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ("cat <<EOF", "heredoc"),
        ("ls --color", "unsupported-flag"),
        ("cd -x", "unsupported-flag"),
        ("a {b,c}", "brace-expansion"),
    ],
)
def test_explain_tells_the_refusal_and_what_to_write(command: str, refusal: str, pi_shell: Callable[..., Any]) -> None:
    done = pi_shell("--tier", "contract", "--explain", "--json", "-c", command)
    told = json.loads(done.stdout)
    assert (done.returncode, told["tier"], told["refusal"]["id"]) == (2, None, refusal)
    assert len(told["refusal"]["message"].split()) > 4


def test_lines_of_json_are_answered_one_by_one_and_do_not_know_each_other(
    pi_shell: Callable[..., Any], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    env = {"PATH": os.environ["PATH"], "ONLY": "here"}
    requests = [
        {"id": "a", "script": "X=1; cd ..; cat; echo e >&2; exit 5", "stdin": "in\udcff"},
        {"id": "b", "script": "echo [$X][$ONLY]; pwd", "cwd": str(other), "env": env},
        {"id": "c", "script": "bash -c x"},
        {"id": "d", "script": "printf '\\377'"},
    ]
    lines = "".join(json.dumps(request) + "\n" for request in requests) + "nonsense\n"
    done = pi_shell("--jsonl", "--tier", "engine", stdin=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    output = [base64.b64decode(answer.get("stdout_b64", "")) for answer in answers]
    assert [answer.get("exit") for answer in answers] == [5, 0, 2, 0, None]
    assert output[0] == b"in\xff"
    assert output[1].decode().splitlines() == ["[][here]", str(other).replace("\\", "/")]
    assert output[3] == b"\xff"
    assert (answers[0]["stderr"], answers[0]["tier"], answers[0]["refusal"]) == ("e\n", "engine", None)
    assert answers[2]["refusal"] == "nested-shell"
    assert "nested-shell: " in answers[2]["stderr"]
    assert "error" in answers[4]
    assert done.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="the posix tier is for Linux and macOS")
def test_lines_of_json_work_with_bash_too(pi_shell: Callable[..., Any]) -> None:
    requests = [{"id": 1, "script": "cat; echo e >&2; exit 5", "stdin": "in"}, {"id": 2, "script": "echo $((1+1))"}]
    done = pi_shell("--jsonl", "--tier", "posix", stdin="".join(json.dumps(request) + "\n" for request in requests))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(base64.b64decode(one["stdout_b64"]), one["exit"], one["stderr"]) for one in answers] == [
        (b"in", 5, "e\n"),
        (b"2\n", 0, ""),
    ]


def test_the_prompt_keeps_one_session(monkeypatch: pytest.MonkeyPatch, plugin_host: Any, capfd: Any) -> None:
    from pi_shell_router import front

    host = plugin_host("pi_shell_router.plugin", "pi_shell_engine.plugin", env=dict(os.environ))
    lines = iter(["X=5", "", "echo $X | cat", "(exit 6)", None])
    monkeypatch.setattr(front, "_ask", lambda: next(lines))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert front.open_front(host.kernel, "contract").interact() == 6
    assert capfd.readouterr().out == "5\n"
