"""Reading source files as syntax trees: which names they import, and where."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.workspace.tree import ROOT, members


@cache
def parsed(path: Path) -> ast.Module:
    """Parse a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported_names(tree: ast.AST) -> set[str]:
    """Give the absolute dotted names that a tree imports anywhere, those for type checkers included."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return names


class _WithoutTypeChecking(ast.NodeTransformer):
    """Leaves out what stands under `if TYPE_CHECKING:`."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Keep the other branch only."""
        if ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            return [self.visit(statement) for statement in node.orelse]
        return self.generic_visit(node)


def runtime_imports(path: Path) -> set[str]:
    """Give the absolute dotted names that a module imports when it runs."""
    fresh = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return imported_names(_WithoutTypeChecking().visit(fresh))


def source_files() -> list[Path]:
    """List the modules of every member."""
    return [path for member in members() for path in member.sources()]


def modules_of_tests() -> list[Path]:
    """List the tests of every member, and everything under the top-level tests."""
    own = [path for member in members() for path in member.tests()]
    return [*own, *sorted((ROOT / "tests").rglob("*.py"))]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Give every function of a tree, nested ones included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def relative(path: Path) -> str:
    """Give a path the way reports show it."""
    return path.relative_to(ROOT).as_posix()
