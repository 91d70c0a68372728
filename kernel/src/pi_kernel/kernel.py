"""The kernel object: installed plugins, what they registered, and the calls into their hooks."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

import pluggy

from pi_kernel import __version__, hookspecs
from pi_kernel.bus import Bus, HandlerFailure
from pi_kernel.loader import Loader, PluginFailure, PluginInfo, PluginSource, PluginState, Warden, scan
from pi_kernel.loader.scan import normalized, requirements
from pi_kernel.markers import PROJECT
from pi_kernel.paths import agent_dir, disabled_plugins, plugins_disabled_by
from pi_kernel.registry import Kind, Registered, Registrar, Registry

T = TypeVar("T")

PLUGIN_DEADLINE = 10.0
"""Seconds a plugin may take over one step of being loaded, or one hook; `PI_PLUGIN_DEADLINE` says otherwise."""


class Kernel:
    """Loads plugins and answers for them.

    `bundle` is the distribution whose requirements count as built in. `sources` replaces the scan of entry points.
    Nothing is imported before `load`.
    """

    def __init__(
        self,
        *,
        bundle: str = "",
        env: Mapping[str, str] = os.environ,
        sources: Callable[[], list[PluginSource]] = scan,
        deadline: float | None = None,
    ) -> None:
        self.env = env
        self.agent_dir: Path = agent_dir(env)
        self.failures: list[PluginFailure | HandlerFailure] = []
        self.registry = Registry()
        self._builtin = requirements(bundle) if bundle else frozenset()
        self._scan = sources
        self._sources: dict[str, list[PluginSource]] | None = None
        self._disabled: set[str] = set(disabled_plugins(self.agent_dir / "settings.json"))
        self._disabled.update(plugins_disabled_by(env))
        self._loaded: set[str] = set()
        self._asked: set[tuple[str, str]] = set()
        self._buses: WeakSet[Bus] = WeakSet()
        self._pm = pluggy.PluginManager(PROJECT)
        self._pm.add_hookspecs(hookspecs)
        self._warden = Warden(plugin_deadline(env) if deadline is None else deadline)
        self._loader = Loader(self._pm, self._warden, __version__, self._fail)

    # -- plugins ---------------------------------------------------------------------------------------------------

    def load(
        self, *, only: Collection[str] | None = None, disabled: Collection[str] = (), builtin_only: bool = False
    ) -> None:
        """Load every enabled plugin not loaded yet, or those of `only`; may be called again with more.

        A plugin that fails is taken out whole and stands in `failures`; the others are not affected.
        """
        self._disabled.update(disabled)
        for name in self._disabled:
            self._pm.set_blocked(name)
        wanted = [info for info in self.plugins() if info.state is PluginState.AVAILABLE]
        wanted = [info for info in wanted if only is None or info.name in only]
        chosen = [info for info in wanted if info.builtin or not builtin_only]
        names = self._loader.load([source for info in chosen for source in self._by_name()[info.name]])
        self._loaded.update(names)
        for name in names:
            self._call(name, "pi_register", {"registry": Registrar(self.registry, name)})

    def plugins(self) -> list[PluginInfo]:
        """What is installed, by name, without importing any of it."""
        failed = {failure.plugin: failure for failure in self.failures if isinstance(failure, PluginFailure)}
        return [
            PluginInfo(sources[0], self._state(name, failed), self._is_builtin(sources[0]), failed.get(name))
            for name, sources in self._by_name().items()
        ]

    def enable(self, names: Collection[str]) -> None:
        """Use plugins although they are switched off: for the commands that throw that very switch."""
        for name in self._disabled & set(names):
            self._disabled.discard(name)
            self._pm.unblock(name)

    def disable(self, names: Collection[str]) -> None:
        """Switch plugins off for this process, also those already loaded."""
        self._disabled.update(names)
        for name in self._loaded & set(names):
            self.unload(name)

    def unload(self, name: str) -> None:
        """Take a plugin out with everything it registered."""
        self._loader.unload(name)
        self.registry.forget(name)
        for bus in self._buses:
            bus.forget(name)
        self._loaded.discard(name)
        self._asked = {pair for pair in self._asked if pair[1] != name}

    def _by_name(self) -> dict[str, list[PluginSource]]:
        if self._sources is None:
            self._sources = {}
            # Of two distributions with one plugin name the built-in one counts, whatever the other calls itself.
            for source in sorted(self._scan(), key=lambda source: not self._is_builtin(source)):
                self._sources.setdefault(source.name, []).append(source)
            self._sources = dict(sorted(self._sources.items()))
        return self._sources

    def _is_builtin(self, source: PluginSource) -> bool:
        return normalized(source.distribution) in self._builtin

    def _state(self, name: str, failed: Mapping[str, PluginFailure]) -> PluginState:
        if name in self._disabled:
            return PluginState.DISABLED
        if name in self._loaded:
            return PluginState.LOADED
        return PluginState.FAILED if name in failed else PluginState.AVAILABLE

    def _fail(self, failure: PluginFailure) -> None:
        self.failures.append(failure)
        self.unload(failure.plugin)

    # -- hooks and registrations -----------------------------------------------------------------------------------

    def call(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """Call each implementation of a hook on its own; yields (plugin, result) of those that did not fail."""
        for plugin, _ in list(self._loader.implementations(hook)):
            ok, result = self._call(plugin, hook, arguments)
            if ok:
                yield plugin, result

    def _call(self, plugin: str, hook: str, arguments: Mapping[str, Any]) -> tuple[bool, Any]:
        impl = dict(self._loader.implementations(hook)).get(plugin)
        if impl is None:
            return True, None
        try:
            return True, self._warden.call(impl.function, *(arguments[name] for name in impl.argnames))
        except (Exception, SystemExit) as error:
            self._fail(PluginFailure(plugin, hook, error))
            return False, None

    def all(self, kind: Kind[T]) -> list[Registered[T]]:
        """Every value of a kind in force; a kind's hook is called the first time somebody asks for the kind."""
        self._collect(kind)
        return self.registry.all(kind)

    def get(self, kind: Kind[T], name: str) -> T | None:
        """One value by name, or `None`."""
        self._collect(kind)
        found = self.registry.get(kind, name)
        return found.value if found else None

    def _collect(self, kind: Kind[T]) -> None:
        if not kind.hook:
            return
        for plugin, _ in list(self._loader.implementations(kind.hook)):
            if (kind.name, plugin) not in self._asked:
                self._asked.add((kind.name, plugin))
                self._call(plugin, kind.hook, {"register": partial(self._add, kind, plugin)})

    def _add(self, kind: Kind[T], plugin: str, value: T) -> None:
        self.registry.add(kind, value, plugin)

    # -- sessions --------------------------------------------------------------------------------------------------

    def bus(self) -> Bus:
        """A new bus whose failing handlers are recorded here."""
        bus = Bus(self.failures.append)
        self._buses.add(bus)
        return bus

    def bind(self, session: object, bus: Bus) -> None:
        """Tell every plugin of a session; each gets the bus (one of `bus()`) under its own name."""
        for plugin, _ in list(self._loader.implementations("pi_session")):
            self._call(plugin, "pi_session", {"session": session, "bus": bus.scoped(plugin)})

    def close(self) -> None:
        """Let plugins release what they hold; the kernel is of no use afterwards."""
        for _ in self.call("pi_teardown", kernel=self):
            pass
        self._warden.close()


def plugin_deadline(env: Mapping[str, str]) -> float:
    """The seconds that `PI_PLUGIN_DEADLINE` gives a plugin, or the usual ones where it names no positive number."""
    try:
        seconds = float(env.get("PI_PLUGIN_DEADLINE", ""))
    except ValueError:
        return PLUGIN_DEADLINE
    return seconds if 0 < seconds < float("inf") else PLUGIN_DEADLINE
