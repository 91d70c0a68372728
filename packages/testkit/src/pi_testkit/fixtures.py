"""The pytest plugin: the `plugin_host` fixture, and the cases that contract classes list."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from pi_testkit.host import PluginHost, no_discovery, plugin_name

pytest.register_assert_rewrite("pi_testkit.contracts")


@pytest.fixture
def plugin_host(tmp_path: Path) -> Iterator[Callable[..., PluginHost]]:
    """A function that makes a `PluginHost` of the plugins given to it; nothing installed is ever discovered.

    `plugin_host(*plugins, env={}, cwd=tmp_path, strict=True, **named)`: modules, objects, classes or dotted names;
    `named` ones under the name given. The agent directory is a fresh one. With `strict` a plugin that fails to load
    fails the test.
    """
    hosts: list[PluginHost] = []

    def make(
        *plugins: object,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        strict: bool = True,
        **named: object,
    ) -> PluginHost:
        chosen = {plugin_name(plugin): plugin for plugin in plugins}
        chosen.update({name.replace("_", "-"): plugin for name, plugin in named.items()})
        hermetic = {"PI_CODING_AGENT_DIR": str(tmp_path / "agent-dir"), **(env or {})}
        hosts.append(PluginHost(chosen, hermetic, cwd or tmp_path, strict=strict))
        return hosts[-1]

    with no_discovery():
        yield make
        for host in hosts:
            host.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out contract tests whose list of cases is empty; pytest would show each as skipped."""
    empty = [item for item in items if _without_cases(item)]
    if empty:
        config.hook.pytest_deselected(items=empty)
        items[:] = [item for item in items if item not in empty]


def _without_cases(item: pytest.Item) -> bool:
    contract = getattr(item, "cls", None)
    cases = getattr(contract, "CASES", {})
    return any(not getattr(contract, cases[name]) for name in getattr(item, "fixturenames", ()) if name in cases)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each contract test the cases that the subclass lists (`call` from `calls`, and so on)."""
    for argument, attribute in getattr(metafunc.cls, "CASES", {}).items():
        if argument in metafunc.fixturenames:
            cases = list(getattr(metafunc.cls, attribute))
            metafunc.parametrize(argument, cases, ids=[f"{argument}{number}" for number in range(len(cases))])
