"""What `find` answers, the same with fd and without."""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pi_api.tool import ToolResult
from pi_files import LocalFiles, Place
from pi_tool_find import fd
from pi_tool_find.fd import fd_arguments
from pi_tool_find.finding import Finder

HAS_FD = bool(shutil.which("fd") or shutil.which("fdfind"))
needs_fd = pytest.mark.skipif(not HAS_FD, reason="fd (fd-find) is not installed")
both = pytest.mark.parametrize(
    "programs", [pytest.param(True, marks=needs_fd, id="fd"), pytest.param(False, id="python")]
)

FILES = [
    "src/a.py",
    "src/deep/b.py",
    "src/c.ts",
    "src/c.tsx",
    "README.md",
    ".hidden/d.py",
    ".env",
    "build/x.py",
    "x.log",
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in [*FILES, ".git/config.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("build/\n*.log\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


async def find(folder: Path, programs: bool, pattern: str, path: str = ".", limit: int = 1000) -> ToolResult:
    return await Finder(Place(LocalFiles(), folder), programs).find(pattern, path, limit)


@both
@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("*.py", ".", [".hidden/d.py", "src/a.py", "src/deep/b.py"]),
        ("*.py", "src", ["src/a.py", "src/deep/b.py"]),
        ("*.py", "src/deep", ["src/deep/b.py"]),
        ("src/*.py", ".", ["src/a.py"]),
        ("src/**/*.py", ".", ["src/a.py", "src/deep/b.py"]),
        ("**/*.{ts,tsx}", ".", ["src/c.ts", "src/c.tsx"]),
        ("deep", ".", ["src/deep/"]),
        ("e*", ".", ["empty/"]),
        (".*", ".", [".env", ".gitignore", ".hidden/"]),
        ("/*.md", ".", ["README.md"]),
        ("!*.*", ".", ["empty/", "src/", "src/deep/"]),
        (".", "src", ["src/a.py", "src/c.ts", "src/c.tsx", "src/deep/", "src/deep/b.py"]),
        ("x.py", "build", ["build/x.py"]),
    ],
)
async def test_a_glob_finds(tree: Path, programs: bool, pattern: str, path: str, found: list[str]) -> None:
    result = await find(tree, programs, pattern, path)
    assert result.plain.split("\n") == found
    assert result.details == {"matches": len(found), "shown": len(found)}


@both
async def test_finding_nothing_is_an_answer(tree: Path, programs: bool) -> None:
    result = await find(tree, programs, "*.rs", "src")
    assert result.plain == "Nothing in src matches *.rs (ignored files are not searched)."
    assert not result.is_error


@both
async def test_the_limit_says_how_many_there_are(tree: Path, programs: bool) -> None:
    result = await find(tree, programs, "*.py", limit=2)
    assert result.plain == (
        ".hidden/d.py\nsrc/a.py\n\n[2 of 3 matches shown. Narrow the pattern or the path, or raise limit.]"
    )


@both
async def test_fifty_kibibytes_are_shown(tmp_path: Path, programs: bool) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}{'x' * 197}").touch()
    result = await find(tmp_path, programs, "*")
    assert result.plain.endswith("\n\n[254 of 300 matches shown. Narrow the pattern or the path.]")


@both
@pytest.mark.skipif(sys.platform == "win32", reason="such names exist on POSIX only")
async def test_names_that_are_no_text_are_escaped(tmp_path: Path, programs: bool) -> None:
    (tmp_path / "bad\udcff\nname").touch()
    (tmp_path / "back\\slash").touch()
    assert (await find(tmp_path, programs, ".")).plain.split("\n") == ["back\\slash", "bad\\xff\\nname"]


@needs_fd
async def test_a_search_that_takes_too_long_says_so(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / ".git").mkdir(exist_ok=True)
    monkeypatch.setattr(fd, "TIMEOUT", 0.0)
    assert "stopped after 5 minutes" in (await find(tree, True, "*.py")).plain


@pytest.mark.parametrize(
    ("version", "within", "usable", "flagged"),
    [
        ((), False, False, False),
        ((8, 2, 1), True, False, False),
        ((8, 6, 0), True, True, False),
        ((8, 6, 0), False, False, False),
        ((8, 7, 0), False, True, True),
        ((10, 2, 0), False, True, True),
        ((10, 2, 0), True, True, False),
    ],
)
def test_versions_of_fd_that_cannot_do_it_are_not_used(
    version: tuple[int, ...], within: bool, usable: bool, flagged: bool
) -> None:
    arguments = fd_arguments(version, within_repository=within)
    assert (arguments is not None) is usable
    assert ("--no-require-git" in (arguments or ())) is flagged


@pytest.mark.skipif(sys.platform == "win32", reason="the broken programs are shell scripts")
@pytest.mark.parametrize("script", ["exit 99", "[ $1 = --version ] && echo fd 10.1.0 || kill -9 $$"])
async def test_a_broken_fd_is_as_good_as_none(
    tree: Path, script: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tmp_path_factory.mktemp("bin") / "fd"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert (await find(tree, True, "*.ts")).plain == "src/c.ts"


class Elsewhere(LocalFiles):
    """Another machine: its files are not to be listed by programs of this one."""

    system = "elsewhere"
    local = False


async def test_another_machine_is_searched_through_the_seam(tree: Path) -> None:
    result = await Finder(Place(Elsewhere(), tree)).find("*.ts", ".", 10)
    assert result.plain == "src/c.ts"


NAMES = ["a.py", "b", ".h", "ü.py", "x.log", "d.d", "-x", "[z]", "A b"]
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
IGNORE = st.sampled_from(["", "*.log\n", "/b\n", "*\n!*.py\n!*/\n", "b/\n!b/a.py\n", "ü*\n"])


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for the trees of one test, each of which it holds alone."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@needs_fd
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    paths=st.sets(PATHS, max_size=10),
    ignore=IGNORE,
    pattern=st.sampled_from([".", "*", "*.py", "b", "b/*", "**/b/**", "?", "*/a.py", "!*.py", "[ab]*", "*.{py,log}"]),
    limit=st.sampled_from([2, 1000]),
)
def test_both_ways_answer_the_same(scratch: Path, paths: set[str], ignore: str, pattern: str, limit: int) -> None:
    tree = scratch / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    (tree / ".git").mkdir(parents=True)
    (tree / ".gitignore").write_text(ignore, encoding="utf-8")
    for path in sorted(paths, key=len, reverse=True):
        if not (tree / path).is_dir():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).touch()
    answers = [asyncio.run(find(tree, programs, pattern, limit=limit)) for programs in (True, False)]
    assert answers[0] == answers[1]
