"""What `grep` answers, the same with ripgrep and without."""

import re
import shutil
import sys
from pathlib import Path, PurePath

import pytest
from pi_api.tool import ToolError, ToolResult
from pi_files import LocalFiles, Place
from pi_tool_grep.query import Query
from pi_tool_grep.searching import Searcher

PROGRAMS = [
    pytest.param(
        True, marks=pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep (rg) is not installed"), id="rg"
    ),
    pytest.param(False, id="python"),
]
both = pytest.mark.parametrize("programs", PROGRAMS)

TREE = {
    "src/a.py": "import os\n\n\ndef one():\n    return os\n\n\ndef two():\n    return 2\n",
    "src/b.txt": "one\n",
    "docs/guide.md": "# One\n\nSee one.\n",
    ".hidden/c.py": "one = 1\n",
    ".gitignore": "*.log\nbuild/\n",
    "x.log": "one\n",
    "build/y.py": "one\n",
    ".git/config": "one\n",
    "data.bin": "one\0\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, content in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content.encode())
    return tmp_path


async def grep(folder: Path, programs: bool, query: Query, path: str = ".") -> ToolResult:
    return await Searcher(Place(LocalFiles(), folder), programs).search(query, path)


@both
@pytest.mark.parametrize(
    ("query", "path", "answer"),
    [
        (
            Query("one"), ".",
            ".hidden/c.py\n1: one = 1\n\ndocs/guide.md\n3: See one.\n\nsrc/a.py\n4: def one():\n\nsrc/b.txt\n1: one",
        ),
        (Query("one", glob="*.md"), ".", "docs/guide.md\n3: See one."),
        (Query("ONE", glob="*.md", ignore_case=True), ".", "docs/guide.md\n1: # One\n3: See one."),
        (Query("one", glob="src/*.py"), ".", "src/a.py\n4: def one():"),
        (Query("one", glob="/src/**"), ".", "src/a.py\n4: def one():\n\nsrc/b.txt\n1: one"),
        (Query("one", glob="!*.{py,md}"), ".", "src/b.txt\n1: one"),
        (Query("one", glob="*.log"), ".", "No matches for 'one' in . in files that match *.log"),
        (Query("one"), "src", "src/a.py\n4: def one():\n\nsrc/b.txt\n1: one"),
        (Query("one"), "src/b.txt", "src/b.txt\n1: one"),
        (Query("one"), "build", "build/y.py\n1: one"),
        (Query("one"), "x.log", "x.log\n1: one"),
        (Query("one", glob="*.py"), "src/b.txt", "No matches for 'one' in src/b.txt in files that match *.py"),
        (Query("one"), "data.bin", "No matches for 'one' in data.bin\ndata.bin is binary, so it was not searched."),
        (Query("one()", literal=True), ".", "src/a.py\n4: def one():"),
        (Query(r"^def (one|two)\(\):$"), ".", "src/a.py\n4: def one():\n8: def two():"),
        (
            Query("def", context=1), ".",
            "src/a.py\n3- \n4: def one():\n5-     return os\n--\n7- \n8: def two():\n9-     return 2",
        ),
        (Query("def", context=2), ".",
            "src/a.py\n2- \n3- \n4: def one():\n5-     return os\n6- \n7- \n8: def two():\n9-     return 2",
        ),
        (Query("nothing like it"), ".", "No matches for 'nothing like it' in ."),
        (Query("-one"), ".", "No matches for '-one' in ."),
    ],
)  # fmt: skip
async def test_an_answer(tree: Path, programs: bool, query: Query, path: str, answer: str) -> None:
    assert (await grep(tree, programs, query, path)).plain == answer


@both
async def test_the_limit_counts_matching_lines_and_says_when_there_are_more(tree: Path, programs: bool) -> None:
    (tree / "many").write_text("".join(f"hit {number}\n" for number in range(10)))
    result = await grep(tree, programs, Query("hit", context=1, limit=3))
    assert result.plain == (
        "many\n1: hit 0\n2: hit 1\n3: hit 2\n\n[Stopped after 3 matches; raise limit or narrow the search.]"
    )
    assert result.details == {"matches": 3, "files": 1, "limited": True}
    exactly = await grep(tree, programs, Query("hit", limit=10))
    assert "Stopped" not in exactly.plain and exactly.details["limited"] is False


@both
async def test_the_last_match_within_the_limit_keeps_its_context(tree: Path, programs: bool) -> None:
    (tree / "many").write_text("a\nhit\nb\nc\nd\nhit\n")
    result = await grep(tree, programs, Query("hit", context=2, limit=1))
    assert result.plain.split("\n\n")[0] == "many\n1- a\n2: hit\n3- b\n4- c"


@both
async def test_a_long_line_is_clipped_around_its_match(tree: Path, programs: bool) -> None:
    (tree / "long").write_text("ü" * 5000 + "needle" + "é" * 5000 + "\n", encoding="utf-8")
    result = await grep(tree, programs, Query("needle"))
    line = result.plain.split("\n")[1]
    assert re.fullmatch("1: …ü{250}needleé{244}…", line)
    assert "[Lines are clipped to 500 characters around the match; read shows them whole.]" in result.plain


@both
async def test_fifty_kibibytes_are_shown(tree: Path, programs: bool) -> None:
    (tree / "many").write_text(f"hit {'x' * 300}\n" * 400)
    result = await grep(tree, programs, Query("hit", limit=400))
    assert len(result.plain) < 52_000
    assert "[Only the first 50 KiB are shown; narrow the search with path, glob or a longer pattern.]" in result.plain


@both
@pytest.mark.parametrize(
    ("content", "query", "lines"),
    [
        (b"one\r\ntwo\r\n", Query("one$"), ["1: one"]),
        (b"\xef\xbb\xbfone\n", Query("^one"), ["1: one"]),
        ("é one\n".encode("utf-16"), Query("^é"), ["1: é one"]),
        (b"caf\xe9 one\n", Query("one"), ["1: caf\ufffd one"]),
        (b"caf\xe9\n", Query("é"), []),
        ("ÄÖÜ\n".encode(), Query("äöü", ignore_case=True), ["1: ÄÖÜ"]),
        ("a٣b\n".encode(), Query(r"a\db"), ["1: a٣b"]),
        ("naïve word\n".encode(), Query(r"\bna\w+\b"), ["1: naïve word"]),
        (b"no newline at the end", Query("end$"), ["1: no newline at the end"]),
        (b"a\rb\n", Query("b"), ["1: a\rb"]),
        (b"tab\there\n", Query("[[:space:]]here"), ["1: tab\there"]),
        (b"one\n", Query(r"\x{6f}n(?<last>e)$"), ["1: one"]),
        (b"one" + b"x" * 100_000 + b"\0", Query("one"), []),
        (b"x\n" * 70_000 + b"one\n", Query("one"), ["70001: one"]),
        (b"\n\n", Query("^$"), ["1: ", "2: "]),
        (b"", Query("^"), []),
    ],
)
async def test_content_of_any_kind(
    tmp_path: Path, programs: bool, content: bytes, query: Query, lines: list[str]
) -> None:
    (tmp_path / "f").write_bytes(content)
    answer = (await grep(tmp_path, programs, query)).plain
    assert (answer.split("\n")[1:] if answer.startswith("f\n") else []) == lines


@both
@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", "*a", "(?<x"])
async def test_a_pattern_that_is_none_says_so(tree: Path, programs: bool, pattern: str) -> None:
    with pytest.raises(ToolError, match="set literal for plain text"):
        await grep(tree, programs, Query(pattern))
    await grep(tree, programs, Query(pattern, literal=True))


@pytest.mark.parametrize(("pattern", "fine"), [("a\nb", False), (r"a\nb", False), (r"a\\nb", True), (r"a\\\nb", False)])
def test_patterns_of_several_lines_are_refused(pattern: str, fine: bool) -> None:
    if fine:
        Query(pattern)
        return
    with pytest.raises(ToolError, match="line break"):
        Query(pattern)


@both
async def test_a_search_that_takes_too_long_shows_what_it_found(tree: Path, programs: bool) -> None:
    result = await Searcher(Place(LocalFiles(), tree), programs, timeout=0.0).search(Query("one"), ".")
    assert "stopped after 5 minutes" in result.plain


@both
@pytest.mark.skipif(sys.platform == "win32", reason="names that are no text exist on POSIX only")
async def test_a_name_that_is_no_text_is_escaped(tmp_path: Path, programs: bool) -> None:
    (tmp_path / "bad\udcff\n").write_text("one")
    assert (await grep(tmp_path, programs, Query("one"))).plain == "bad\\xff\\n\n1: one"


@pytest.mark.skipif(sys.platform == "win32", reason="the broken programs are shell scripts")
@pytest.mark.parametrize(
    "script",
    [
        "#!/bin/sh\nexit 99\n",
        "#!/bin/sh\n[ $1 = --version ] && echo ripgrep 14.1.0 || kill -9 $$\n",
        "#!/bin/sh\n[ $1 = --version ] && echo ripgrep 11.0.2 || exit 2\n",
        "#!/nowhere/interpreter\n",
    ],
)
async def test_a_broken_or_old_ripgrep_is_as_good_as_none(
    tree: Path, script: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tmp_path_factory.mktemp("bin") / "rg"
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert (await grep(tree, True, Query("one"), "src/b.txt")).plain == "src/b.txt\n1: one"


class Elsewhere(LocalFiles):
    """Another machine: its files are not to be searched by programs of this one."""

    system = "elsewhere"
    local = False


async def test_another_machine_is_searched_through_the_seam(tree: Path) -> None:
    place = Place(Elsewhere(), PurePath(tree))
    assert (await Searcher(place).search(Query("one"), "src/b.txt")).plain == "src/b.txt\n1: one"
