"""`grep` without ripgrep answers what it answers with it, on any small tree and any pattern both understand."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pi_files import LocalFiles, Place
from pi_tool_grep.query import Query
from pi_tool_grep.searching import Searcher

pytestmark = pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep (rg) is not installed")

# Left out, as the two differ there by design: CR inside a line, and classes that match bytes which are no UTF-8.
WORDS = ["one", "two", "One", "ü", "Ü", "é", " ", "\t", "1", "٣", ".", "(", "-", "_", "日本", "😀", "x" * 30]
LINES = st.lists(st.sampled_from(WORDS), max_size=5).map("".join)
TEXTS = st.builds(
    lambda lines, newline, end: (newline.join(lines) + end).encode(),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)
CONTENTS = (
    TEXTS
    | TEXTS.map(lambda data: b"\xef\xbb\xbf" + data)
    | TEXTS.map(lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"))
    | TEXTS.map(lambda data: data + b"\0")
    | TEXTS.map(lambda data: b"one\n" * 20_000 + data)
)
NAMES = ["a.py", "b.txt", ".h", "ü.py", "d/a.py", "d/e/b.txt", "d/.gitignore.py", "x.log", "d/x.log", "A", "d-", "d.x"]
ATOMS = ["one", "two", "ü", "é", ".", r"\w", r"\d", r"\s", r"\b", "[a-z]", "[^o]", r"\.", r"\(", "(one|two)", "日", "-"]
PATTERNS = st.builds(
    lambda start, atoms, end: start + "".join(atom + count for atom, count in atoms) + end,
    st.sampled_from(["", "", "^"]),
    st.lists(st.tuples(st.sampled_from(ATOMS), st.sampled_from(["", "", "+", "?", "{1,2}"])), min_size=1, max_size=3),
    st.sampled_from(["", "", "$"]),
).filter(lambda pattern: not any(bad in pattern for bad in (r"\b+", r"\b?", r"\b{")))
QUERIES = st.builds(
    Query,
    PATTERNS,
    glob=st.sampled_from(["", "", "*.py", "*.{py,txt}", "d/**", "?.py", "!*.py", "**/e/*", "[a-b].*"]),
    ignore_case=st.booleans(),
    literal=st.sampled_from([False, False, True]),
    context=st.integers(0, 2),
    limit=st.integers(1, 6) | st.just(100),
)
IGNORE = st.sampled_from([b"", b"*.log\n", b"/d\n", b"*\n!*.py\n!*/\n", b"e/\n"])


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for the trees of one test, each of which it holds alone."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    files=st.dictionaries(st.sampled_from(NAMES), CONTENTS, max_size=5),
    ignore=IGNORE,
    query=QUERIES,
    path=st.sampled_from([".", ".", "d", "a.py"]),
)
def test_both_ways_answer_the_same(
    scratch: Path, files: dict[str, bytes], ignore: bytes, query: Query, path: str
) -> None:
    tree = scratch / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name, content in {"d/e/always": b"one\n", "a.py": b"", ".gitignore": ignore, **files}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(content)
    place = Place(LocalFiles(), tree)
    answers = [asyncio.run(Searcher(place, programs).search(query, path)) for programs in (True, False)]
    assert answers[0].plain == answers[1].plain
    assert answers[0].details == answers[1].details
