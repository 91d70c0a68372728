"""What needs trust, and whose decision counts: pure rules, for paths of Linux and of Windows."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest
from pi_trust.evidence import Surroundings, evidence
from pi_trust.store import nearest

HOME, AGENT = "/home/me", "/home/me/.pi/agent"

NEEDS: list[tuple[str, str, list[str], list[str]]] = [
    ("an empty directory", "/src/app", [], []),
    ("a project folder", "/src/app", ["/src/app/.pi"], ["/src/app/.pi"]),
    ("a project folder above", "/src/app", ["/src/.pi"], []),
    ("a context file", "/src/app", ["/src/app/CLAUDE.md"], ["/src/app/CLAUDE.md"]),
    ("one context file a folder", "/src/app", ["/src/app/CLAUDE.md", "/src/app/AGENTS.md"], ["/src/app/AGENTS.md"]),
    ("context files above", "/src/app", ["/AGENTS.md", "/src/GEMINI.MD"], ["/src/GEMINI.MD", "/AGENTS.md"]),
    ("shared skills above", "/src/app", ["/src/.agents/skills"], ["/src/.agents/skills"]),
    ("a folder of agents without skills", "/src/app", ["/src/.agents"], []),
    ("below home: the user's own skills", "/home/me/app", ["/home/me/.agents/skills"], []),
    ("below home: a context file there", "/home/me/app", ["/home/me/AGENTS.md"], ["/home/me/AGENTS.md"]),
    ("in home: only the agent folder", HOME, ["/home/me/.pi", AGENT], []),
    ("in home: more than that", HOME, ["/home/me/.pi", "/home/me/.pi/skills"], ["/home/me/.pi/skills"]),
    ("in the agent folder", AGENT, [f"{AGENT}/AGENTS.md"], []),
]


@pytest.mark.parametrize(("case", "cwd", "there", "expected"), NEEDS, ids=[case[0] for case in NEEDS])
def test_what_needs_trust(case: str, cwd: str, there: list[str], expected: list[str]) -> None:
    existing = {PurePosixPath(path) for path in there}
    around = Surroundings(PurePosixPath(HOME), PurePosixPath(AGENT), existing.__contains__)
    assert evidence(PurePosixPath(cwd), around) == [PurePosixPath(path) for path in expected]


def test_what_needs_trust_on_windows_without_regard_to_case() -> None:
    existing = {PureWindowsPath(r"C:\Src\App\.PI"), PureWindowsPath(r"C:\src\agents.md")}
    around = Surroundings(
        PureWindowsPath(r"C:\Users\me"), PureWindowsPath(r"c:\users\ME\.pi\agent"), existing.__contains__
    )
    found = evidence(PureWindowsPath(r"c:\src\app"), around)
    assert found == [PureWindowsPath(r"c:\src\app\.pi"), PureWindowsPath(r"c:\src\AGENTS.md")]


DECISIONS: list[tuple[str, dict[str, bool], str, bool | None]] = [
    ("nothing", {}, "/src/app", None),
    ("its own", {"/src/app": True}, "/src/app", True),
    ("a parent's", {"/src": True}, "/src/app/deep", True),
    ("the closest", {"/src": True, "/src/odd": False}, "/src/odd/deep", False),
    ("a sibling's", {"/src/app": True}, "/src/application", None),
    ("a child's", {"/src/app/deep": True}, "/src/app", None),
    ("the root's", {"/": False}, "/src", False),
    ("another spelling of the same folder", {"/SRC/App": True}, "/src/app", True),
    ("two spellings that disagree", {"/SRC/App": True, "/src/app": False}, "/src/app", False),
]


@pytest.mark.parametrize(("case", "stored", "cwd", "expected"), DECISIONS, ids=[case[0] for case in DECISIONS])
def test_the_closest_decision_counts(case: str, stored: dict[str, bool], cwd: str, expected: bool | None) -> None:
    found = nearest(stored, PurePosixPath(cwd), lambda one, other: True)
    assert (found[1] if found else None) is expected


def test_where_case_matters_another_case_is_another_folder() -> None:
    assert nearest({"/SRC/App": True}, PurePosixPath("/src/app"), lambda one, other: False) is None


@pytest.mark.parametrize(
    ("stored", "cwd", "expected"),
    [
        (r"C:\Src\App", r"c:\src\app\deep", True),
        ("c:/src/app", r"C:\SRC\APP", True),
        (r"\\server\share\src", r"\\SERVER\share\src\app", True),
        (r"C:\src", r"D:\src", None),
        ("C:", r"C:\src", None),
        ("/src", r"C:\src", None),
    ],
)
def test_windows_paths_count_however_they_are_spelt(stored: str, cwd: str, expected: bool | None) -> None:
    def never(one: PurePath, other: PurePath) -> bool:
        return False

    found = nearest({stored: True}, PureWindowsPath(cwd), never)
    assert (found[1] if found else None) is expected
