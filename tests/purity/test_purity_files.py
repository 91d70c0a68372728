"""What a source file may not be or hold: too long, unannotated, unfinished, tied to one machine."""

import ast
import io
import re
import tokenize
from pathlib import Path
from statistics import mean

import pytest

from tests.purity.source import functions, modules_of_tests, parsed, relative, source_files
from tests.workspace.tree import ROOT, tracked

HARD_CAP = 400
MEAN_CAP = 150
TEXT = {".py", ".md", ".toml", ".ini", ".json", ".jsonl", ".txt", ".yaml", ".yml", ".cfg", ".sh"}
# Written in pieces so that this file passes its own test.
MACHINE = re.compile(
    "|".join(["/" + "work/", "/" + "farm", "/" + "root/", "/tmp/" + "pi/", "/opt/" + "pypi", "bash_" + "jobs"])
)
INDEX_HOSTS = re.compile(
    "|".join(["pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(org|com)", r"deb\.debian" + r"\.org"])
)
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|(?i:placeholder|stub|stubbed))\b")


def all_modules() -> list[Path]:
    return [*source_files(), *modules_of_tests()]


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def remarks(path: Path) -> list[str]:
    """Give the comments and docstrings of a module."""
    text = path.read_text(encoding="utf-8")
    comments = [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return comments + [ast.get_docstring(n) or "" for n in ast.walk(parsed(path)) if isinstance(n, documented)]


def unannotated(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    bare = [a for a in named if a is not None and a.annotation is None and a.arg not in ("self", "cls")]
    return bool(bare) or function.returns is None


def swallows(handler: ast.ExceptHandler) -> bool:
    broad = handler.type is None or (
        isinstance(handler.type, ast.Name) and handler.type.id in ("Exception", "BaseException")
    )
    idle = (ast.Pass, ast.Continue)
    return broad and all(
        isinstance(s, idle) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in handler.body
    )


def test_no_file_is_longer_than_the_cap() -> None:
    assert {relative(p): lines(p) for p in all_modules() if lines(p) > HARD_CAP} == {}


@pytest.mark.parametrize("group", ["sources", "tests"])
def test_the_mean_file_is_short(group: str) -> None:
    chosen = source_files() if group == "sources" else modules_of_tests()
    assert mean(lines(path) for path in chosen) < MEAN_CAP


def test_every_function_is_annotated() -> None:
    bare = [f"{relative(p)}:{f.lineno} {f.name}" for p in all_modules() for f in functions(parsed(p)) if unannotated(f)]
    assert bare == []


def test_nothing_is_left_to_do() -> None:
    found = [
        f"{relative(path)}: {match[0]}"
        for path in all_modules()
        for text in remarks(path)
        if (match := UNFINISHED.search(text))
    ]
    found += [
        f"{relative(path)}:{node.lineno}: NotImplementedError"
        for path in source_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert found == []


def test_no_broad_handler_swallows_an_error() -> None:
    found = [
        f"{relative(path)}:{node.lineno}"
        for path in all_modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    ]
    assert found == []


@pytest.mark.parametrize("pattern", [MACHINE, INDEX_HOSTS], ids=["paths of one machine", "hosts of package indexes"])
def test_no_file_names(pattern: re.Pattern[str]) -> None:
    files = [ROOT / line for line in tracked() if Path(line).suffix in TEXT or line == ".ci/run"]
    found = [
        f"{relative(path)}: {match[0]}"
        for path in files
        if (match := pattern.search(path.read_text("utf-8", "replace")))
    ]
    assert found == []


def test_every_skip_says_what_is_missing() -> None:
    found = [
        f"{relative(path)}:{node.lineno}"
        for path in modules_of_tests()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("pytest.skip", "pytest.mark.needs_windows", "needs_windows")
        and not (node.args or node.keywords)
    ]
    assert found == []
