"""The routing table, row by row, and the two judgements that policy makes on the same tree."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_shell import parse
from pi_shell_router.findings import may_find_nothing
from pi_shell_router.routing import Tiers, route
from pi_shell_router.searches import Surroundings, broad_search

HERE = Path(__file__).parent
ROUTES = tomllib.loads((HERE / "routes.toml").read_text("utf-8"))["case"]
SEARCHES = tomllib.loads((HERE / "searches.toml").read_text("utf-8"))["case"]
NOT_ON_THE_FLOOR = ("printf", "sort", "wc", "test", "sed")


def tiers(names: str) -> Tiers:
    there = names.split()
    missing = "" if "engine" in there or "engine-off" in there else "it is not installed; install pi-shell-engine"
    floor = (lambda words: words[0] not in NOT_ON_THE_FLOOR) if "floor" in there else None
    return Tiers(floor, "engine-off" not in there, missing)


@pytest.mark.parametrize("case", ROUTES, ids=lambda case: case["name"])
def test_route(case: dict[str, Any]) -> None:
    for command in case["commands"]:
        found = route(command, "contract", tiers(case.get("tiers", "floor engine")), windows_paths=True)
        assert found.tier == case.get("tier"), command
        assert found.refusal == case.get("refusal"), command
        for words in case.get("reason", ()):
            assert words in found.reason, (command, found.reason)


def test_a_refusal_says_what_to_write_instead() -> None:
    for case in ROUTES:
        for command in case["commands"] if "refusal" in case else ():
            found = route(command, "contract", tiers("floor engine"), windows_paths=True)
            assert len(found.reason.split()) >= 5, found.reason


def test_in_posix_mode_everything_goes_to_bash() -> None:
    for command in ("ls", "bash -c x", "echo 'unclosed", "sleep 1 &", "cat <<EOF\nx\nEOF"):
        assert route(command, "posix", tiers(""), windows_paths=False).tier == "posix"


@pytest.mark.parametrize("case", SEARCHES)
def test_broad_searches_are_recognised(case: dict[str, Any]) -> None:
    windows = case.get("windows", False)
    home, project = (r"C:\Users\me", r"C:\Users\me\project") if windows else ("/home/me", "/home/me/project")
    around = Surroundings(project, home, windows)
    for command in case["commands"]:
        message = broad_search(parse(command, windows_paths=windows), around)
        assert (message is not None) == case["broad"], (command, message)
        if message is not None:
            assert "> file" in message


def test_the_working_directory_itself_may_be_too_broad() -> None:
    tree = parse("rg x")
    assert broad_search(tree, Surroundings("/", None, windows=False))
    assert broad_search(tree, Surroundings("/home/me", "/home/me", windows=False))
    assert broad_search(tree, Surroundings("/srv", None, windows=False)) is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("grep x f", True),
        ("rg x", True),
        ("cat f | grep x", True),
        ("cd d && grep x f", True),
        ("cd d; rg.exe x", True),
        ("git log --grep=x", False),
        ("test -f f && grep x f", False),
        ("grep x f || true", False),
        ("! grep x f", False),
        ("grep x f; false", False),
        ("grep x f | sort", False),
        ("(grep x f)", False),
        ("echo 'a | grep x'", False),
        ("", False),
    ],
)
def test_status_1_of_a_final_search_means_nothing_found(command: str, expected: bool) -> None:
    assert may_find_nothing(parse(command)) is expected
