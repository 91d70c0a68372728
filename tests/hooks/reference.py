"""The hook reference packages/api/HOOKS.md: `python -m tests.hooks.reference --write` makes it from the hook specs."""

import ast
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.purity.source import functions, parsed
from tests.workspace.tree import ROOT, Kind, members

REFERENCE = ROOT / "packages" / "api" / "HOOKS.md"
HEAD = """# Hook reference

Every hook that a plugin can implement, made from the docstrings by `python -m tests.hooks.reference --write`; do not
edit it. A plugin implements a hook by decorating a function of the same name with `pi_kernel.hookimpl` in its
`plugin.py`, and takes only the parameters it needs. Each hook's example runs as a test, and each hook has a test called
`test_hook_NAME`.
"""


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook specification: where it stands, its signature as written, its docstring."""

    name: str
    module: str
    signature: str
    docstring: str


def signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Give `name(parameters) -> result` as written, forward references without their quotes."""

    class Unquote(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            return ast.parse(node.value, mode="eval").body if isinstance(node.value, str) else node

    bare = Unquote().visit(ast.parse(ast.unparse(ast.FunctionDef(**{**vars(function), "body": [ast.Pass()]}))).body[0])
    bare.decorator_list = []
    return ast.unparse(bare).splitlines()[0].removeprefix("def ").removesuffix(":")


def is_hook(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function is decorated as a hook specification."""
    names = [ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in function.decorator_list]
    return any(name.rpartition(".")[2] == "hookspec" for name in names)


def dotted(path: Path) -> str:
    """Give the dotted name of a module file under some `src`."""
    return ".".join(path.with_suffix("").parts[path.parts.index("src") + 1 :])


def hooks() -> list[Hook]:
    """List the hook specifications of the kernel and of the libraries, in the order of their files."""
    holders = [m for m in members() if m.kind in (Kind.KERNEL, Kind.LIBRARY)]
    return [
        Hook(function.name, dotted(path), signature(function), inspect.cleandoc(ast.get_docstring(function) or ""))
        for member in holders
        for path in member.sources()
        for function in functions(parsed(path))
        if is_hook(function)
    ]


def prose_and_example(docstring: str) -> tuple[str, str]:
    """Split a docstring into its text and the code of its example, prompts removed."""
    prose: list[str] = []
    code: list[str] = []
    for line in docstring.splitlines():
        if line.startswith((">>> ", "... ")) or line in (">>>", "..."):
            code.append(line[4:])
        else:
            prose.append(line)
    return "\n".join(prose).strip(), "\n".join(code)


def rendered() -> str:
    """Give the text of the reference."""
    parts = [HEAD]
    module = ""
    for hook in hooks():
        if hook.module != module:
            module = hook.module
            parts.append(f"\n## `{module}`\n")
        prose, code = prose_and_example(hook.docstring)
        parts.append(f"\n### `{hook.signature}`\n\n{prose}\n\n```python\n{code}\n```\n")
    return "".join(parts)


def main() -> int:
    """Write the reference with `--write`, else print it."""
    if "--write" in sys.argv[1:]:
        REFERENCE.write_text(rendered(), encoding="utf-8", newline="\n")
    else:
        print(rendered())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
