"""Bringing plugins in and taking them out again, each on its own.

Three passes over the enabled plugins, sorted by name: import all, let each add hook specifications, register all. So a
signature is checked against every specification there is, and a fault is laid at the door of the plugin that made it.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any

import pluggy
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from pi_kernel.loader.containment import Warden
from pi_kernel.loader.plugin import PluginFailure
from pi_kernel.loader.scan import PluginSource


class IncompatibleKernel(Exception):
    """A plugin's distribution asks for another version of the kernel."""


class SameName(Exception):
    """Two installed distributions have a plugin of one name."""

    def __init__(self, distribution: str) -> None:
        super().__init__(f"distribution {distribution!r} also installs a plugin of this name; uninstall one of the two")


class UnknownHook(Exception):
    """A plugin implements a hook that nothing specifies."""


class Loader:
    """Loads plugin sources into a pluggy manager; failures are values, handed to `fail`.

    `warden` runs everything that is the plugin's own code.
    """

    def __init__(
        self, pm: pluggy.PluginManager, warden: Warden, kernel_version: str, fail: Callable[[PluginFailure], None]
    ) -> None:
        self._pm = pm
        self._warden = warden
        self._kernel_version = kernel_version
        self._fail = fail

    def load(self, sources: Sequence[PluginSource]) -> list[str]:
        """Load the sources in the order given and return the names of those that are now in use."""
        plugins: dict[str, Any] = {}
        for source in sources:
            if source.name in plugins:
                self._fail(PluginFailure(source.name, "scan", SameName(source.distribution)))
            elif (plugin := self._step(source.name, "import", partial(self._import, source))) is not None:
                plugins[source.name] = plugin
        specified = [
            name for name in plugins if self._step(name, "pi_addhooks", partial(self._addhooks, plugins[name]))
        ]
        return [
            name for name in specified if self._step(name, "register", partial(self._register, name, plugins[name]))
        ]

    def unload(self, name: str) -> None:
        """Take a plugin out of the manager, also one that `register` left half in."""
        plugin = self._pm.get_plugin(name)
        if plugin is None:
            return
        self._pm.unregister(plugin, name)

    def implementations(self, hook: str) -> Iterator[tuple[str, "pluggy.HookImpl"]]:
        """The implementations of a hook with their plugins' names: `tryfirst`, then in load order, then `trylast`."""
        caller = getattr(self._pm.hook, hook, None)
        impls = caller.get_hookimpls() if caller is not None else []
        for impl in sorted(impls, key=lambda impl: bool(impl.trylast) - bool(impl.tryfirst)):
            yield impl.plugin_name, impl

    def _step(self, name: str, step: str, action: Callable[[], Any]) -> Any:
        try:
            return action()
        except (Exception, SystemExit) as error:
            self._fail(PluginFailure(name, "version" if isinstance(error, IncompatibleKernel) else step, error))
            return None

    def _import(self, source: PluginSource) -> Any:
        check_kernel_range(source.requires_kernel, self._kernel_version)
        module, _, attribute = source.target.partition(":")
        plugin: Any = self._warden.call(import_module, module)
        for part in filter(None, attribute.split(".")):
            plugin = getattr(plugin, part)
        return plugin() if isinstance(plugin, type) else plugin

    def _addhooks(self, plugin: Any) -> bool:
        if self._pm.parse_hookimpl_opts(plugin, "pi_addhooks") is not None:
            self._warden.call(plugin.pi_addhooks, self._pm)
        return True

    def _register(self, name: str, plugin: Any) -> bool:
        try:
            self._pm.register(plugin, name)
            self._check_hooks(plugin)
        except BaseException:
            self._purge(name, plugin)
            raise
        return True

    def _check_hooks(self, plugin: Any) -> None:
        for caller in self._pm.get_hookcallers(plugin) or []:
            if not caller.has_spec():
                raise UnknownHook(_unknown_hook(caller.name, self._specified()))
            for impl in caller.get_hookimpls():
                if impl.plugin is plugin and (impl.hookwrapper or impl.wrapper):
                    raise UnknownHook(f"{caller.name} is a wrapper; hooks of pi take plain implementations")

    def _specified(self) -> list[str]:
        return [name for name, caller in vars(self._pm.hook).items() if getattr(caller, "has_spec", bool)()]

    def _purge(self, name: str, plugin: Any) -> None:
        """Undo a registration that stopped half-way: pluggy keeps the name and the implementations seen so far."""
        if self._pm.get_plugin(name) is plugin:
            self._pm.unregister(plugin, name)
        for caller in vars(self._pm.hook).values():
            if any(impl.plugin is plugin for impl in caller.get_hookimpls()):
                caller._remove_plugin(plugin)


def check_kernel_range(specifier: str, kernel_version: str) -> None:
    """Raise `IncompatibleKernel` unless a version range (PEP 440; "" allows all) contains the kernel's version."""
    if not specifier:
        return
    try:
        fits = SpecifierSet(specifier).contains(kernel_version, prereleases=True)
    except InvalidSpecifier as error:
        raise IncompatibleKernel(f"its range for pi-kernel cannot be read: {error}") from error
    if not fits:
        raise IncompatibleKernel(
            f"it needs pi-kernel{specifier} and this is {kernel_version}; install a version of it made for this one"
        )


def _unknown_hook(name: str, specified: list[str]) -> str:
    close = get_close_matches(name, specified, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{name!r} is not a hook of pi or of any plugin loaded{hint}"
