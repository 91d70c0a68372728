"""Every hook has a test of its own, an example that runs and registers, and an entry in the reference."""

import doctest
from importlib import import_module
from types import ModuleType
from typing import Any

import pluggy
import pytest

from tests.hooks.reference import REFERENCE, Hook, hooks, rendered
from tests.purity.source import functions, modules_of_tests, parsed

HOOKS = hooks()
each_hook = pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.name)


def example_namespace(hook: Hook) -> dict[str, Any]:
    """Run the example of a hook's docstring and give the names it defines."""
    namespace: dict[str, Any] = {}
    example = doctest.DocTestParser().get_doctest(hook.docstring, namespace, hook.name, hook.module, 0)
    assert example.examples, f"{hook.name} has no example"
    report: list[str] = []
    failed, _ = doctest.DocTestRunner().run(example, out=report.append, clear_globs=False)
    assert failed == 0, "".join(report)
    return example.globs


def test_the_kernel_and_the_api_specify_hooks() -> None:
    assert {hook.module.partition(".")[0] for hook in HOOKS} >= {"pi_kernel", "pi_api"}
    assert len({hook.name for hook in HOOKS}) == len(HOOKS)
    assert all(hook.name.startswith("pi_") for hook in HOOKS)


@each_hook
def test_a_test_is_named_after_it(hook: Hook) -> None:
    tests = {function.name for path in modules_of_tests() for function in functions(parsed(path))}
    assert f"test_hook_{hook.name}" in tests


@each_hook
def test_its_docstring_says_when_it_is_called(hook: Hook) -> None:
    prose = hook.docstring.partition(">>>")[0]
    assert len(prose.split()) >= 8
    assert any(word in prose for word in ("called", "when", "before", "after"))


@each_hook
def test_its_example_runs_and_registers_as_an_implementation(hook: Hook) -> None:
    manager = pluggy.PluginManager("pi")
    manager.add_hookspecs(import_module(hook.module))
    plugin = ModuleType("example")
    plugin.__dict__.update(example_namespace(hook))
    manager.register(plugin)
    manager.check_pending()
    implementations = getattr(manager.hook, hook.name).get_hookimpls()
    assert [implementation.plugin for implementation in implementations] == [plugin]


def test_the_reference_is_what_the_specifications_say() -> None:
    written = REFERENCE.read_text(encoding="utf-8") if REFERENCE.exists() else ""
    assert written == rendered(), "run `python -m tests.hooks.reference --write`"
