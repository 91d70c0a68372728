"""Flags and forms outside the contract are refused by name, before a command runs and by the builtin itself."""

import shlex
import string
import tomllib
from collections.abc import Sequence

import pytest
from builtin_cases import FILES, HERE
from builtin_harness import ours
from pi_shell import Refusal
from pi_shell_engine.builtins import CONTRACT

FLAGS = {
    "pwd": "", "ls": "aA1lr", "cat": "", "head": "n0123456789", "tail": "n0123456789", "grep": "ivnclwFE", "rm": "frR",
    "cp": "rR", "mv": "", "mkdir": "p", "touch": "", "wc": "lwcm", "sort": "rnuf", "uniq": "cdui", "cut": "dfc",
    "tr": "dsc", "basename": "", "dirname": "", "sed": "", "xargs": "0nI", "which": "",
}  # fmt: skip
"""What the contract lists; the rest of the letters is unknown. `true` and `false` take anything, `echo` prints it."""
REFUSED = tomllib.loads((HERE / "builtin_refusals.toml").read_text("utf-8"))["commands"].strip().splitlines()
ELSEWHERE = {"find": "-maxdepth", "printf": "-v", "test": "-L", "[": "-L"}


def refusal(name: str, words: Sequence[str | None]) -> str | None:
    try:
        CONTRACT[name].judge(words)
    except Refusal as refused:
        return str(refused)
    return None


def test_every_builtin_has_its_flags_here() -> None:
    assert CONTRACT.keys() == FLAGS.keys() | ELSEWHERE.keys() | {"true", "false", "echo"}


@pytest.mark.parametrize("name", FLAGS)
def test_unknown_flag_is_refused_with_its_name(name: str) -> None:
    for letter in sorted(set(string.ascii_letters + string.digits) - set(FLAGS[name])):
        told = refusal(name, [name, f"-{letter}", "a", "b"])
        assert told is not None
        assert told.startswith(f"unsupported-flag: {name}: -{letter} ")
        assert refusal(name, [name, "--long", "a"]) is not None
    for letter in FLAGS[name]:
        if not letter.isdigit() and letter not in "dfc":
            assert refusal(name, [name, f"-{letter}", "1", "x"]) is None


@pytest.mark.parametrize("name", FLAGS)
def test_unknown_flag_changes_nothing_when_it_comes_late(name: str) -> None:
    answer = ours([name, "-@", "a", "b"], FILES)
    assert (answer.status, answer.stdout) == (2, b"")
    assert answer.stderr.startswith(b"refused: unsupported-flag: ")
    assert {path: answer.tree[path] for path in FILES} == FILES


@pytest.mark.parametrize("line", REFUSED)
def test_form_is_refused_before_and_while_it_runs(line: str) -> None:
    argv = shlex.split(line)
    answer = ours(argv, FILES)
    assert answer.stderr.startswith((b"refused: unsupported-flag: ", b"refused: malformed-syntax: "))
    assert (answer.status, answer.stdout) == (2, b"")
    assert {path: answer.tree[path] for path in FILES} == FILES


@pytest.mark.parametrize(("name", "flag"), ELSEWHERE.items())
def test_other_forms_are_refused_by_their_name(name: str, flag: str) -> None:
    words = [name, *(["."] if name == "find" else []), flag, "a", *(["]"] if name == "[" else [])]
    assert f"unsupported-flag: {name}: {flag} " in (refusal(name, words) or "")


@pytest.mark.parametrize("name", [name for name in FLAGS if name not in ("cut",)])
def test_words_that_are_not_known_yet_are_not_judged(name: str) -> None:
    assert refusal(name, [name, None]) is None
    assert refusal(name, [name, None, "-@"]) is None
