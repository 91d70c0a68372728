"""A kernel with exactly the plugins a test names."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from unittest.mock import patch

import importlib_metadata
from pi_api import add_hookspecs
from pi_api.kinds import PROVIDERS, TOOLS
from pi_api.provider import Provider
from pi_api.tool import Tool, ToolResult
from pi_kernel import Kernel, hookimpl
from pi_kernel.loader import PluginSource
from pi_kernel.registry import Kind

from pi_testkit.context import FakeToolContext
from pi_testkit.session import FakeSession

T = TypeVar("T")

_GIVEN = "pi_testkit_given"
_numbers = count(1)


class DiscoveryRefused(Exception):
    """Something under test looked for installed plugins; a test names its plugins."""


class PluginsFailed(AssertionError):
    """Plugins given to a host did not load."""


class _Specs:
    """Specifies the feature hooks, as the agent or the command line would."""

    @hookimpl
    def pi_addhooks(self, pm: Any) -> None:
        add_hookspecs(pm)


class PluginHost:
    """A kernel over the plugins given to it, and short ways to what they registered.

    A plugin is a module, an object or class with hook implementations, or the dotted name of a module.
    """

    def __init__(
        self, plugins: Mapping[str, object], env: Mapping[str, str], cwd: Path, *, strict: bool = True
    ) -> None:
        self.cwd = cwd
        self.names = tuple(plugins)
        given = {"testkit": _Specs(), **plugins}
        sources = sorted((_source(name, plugin) for name, plugin in given.items()), key=lambda source: source.name)
        self.kernel = Kernel(env=env, sources=lambda: list(sources))
        self.kernel.load()
        if strict:
            self.check()

    @property
    def failures(self) -> list[Any]:
        return self.kernel.failures

    def check(self) -> None:
        """Raise `PluginsFailed` when a plugin or one of its handlers has failed so far."""
        if self.kernel.failures:
            raise PluginsFailed("\n".join(str(failure) for failure in self.kernel.failures))

    def get(self, kind: Kind[T], name: str) -> T:
        """A registered value of any kind by name; `KeyError` names those there are."""
        value = self.kernel.get(kind, name)
        if value is None:
            known = ", ".join(found.name for found in self.kernel.all(kind)) or "none"
            raise KeyError(f"no {kind.name} {name!r}; registered: {known}; failures: {self.failures}")
        return value

    def tool(self, name: str) -> Tool:
        return self.get(TOOLS, name)

    def provider(self, name: str) -> Provider:
        return self.get(PROVIDERS, name)

    async def run(self, tool: str, context: FakeToolContext | None = None, /, **arguments: Any) -> ToolResult:
        """Run a registered tool with the arguments as given, unvalidated."""
        return await self.tool(tool).run(arguments, context or FakeToolContext(self.cwd))

    def session(self, **fields: Any) -> FakeSession:
        """A fake session over this kernel; call its `start` to bind the plugins."""
        return FakeSession(fields.pop("cwd", self.cwd), self.kernel, **fields)

    def close(self) -> None:
        self.kernel.close()


def plugin_name(plugin: object) -> str:
    """`pi_tool_read.plugin` → `tool-read`; an object goes by its `name` or its class."""
    if isinstance(plugin, ModuleType | str):
        dotted = plugin if isinstance(plugin, str) else plugin.__name__
        name = dotted.removesuffix(".plugin").rpartition(".")[2].removeprefix("pi_")
    else:
        kind = plugin if isinstance(plugin, type) else type(plugin)
        name = str(getattr(plugin, "name", kind.__name__.lower()))
    return name.replace("_", "-")


@contextmanager
def no_discovery() -> Iterator[None]:
    """Let every search for installed entry points of pi raise `DiscoveryRefused`."""

    def refuse(**query: Any) -> Any:
        raise DiscoveryRefused(f"entry points {query} were searched in a test; give the plugins to `plugin_host`")

    # The kernel keeps what it found once, so its own memory is closed too.
    with (
        patch.object(importlib_metadata, "entry_points", refuse),
        patch.object(import_module("pi_kernel.loader.scan"), "installed_entry_points", refuse),
    ):
        yield


def _source(name: str, plugin: object) -> PluginSource:
    target = plugin if isinstance(plugin, str) else _given(plugin)
    return PluginSource(name, target, f"given-{name}", "0", "", "")


def _given(plugin: object) -> str:
    """An importable name for an object: the loader imports everything it loads."""
    module = sys.modules.setdefault(_GIVEN, ModuleType(_GIVEN))
    attribute = f"plugin_{next(_numbers)}"
    setattr(module, attribute, plugin)
    return f"{_GIVEN}:{attribute}"
