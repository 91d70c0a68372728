"""`pi config enable` and `disable`."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from pi_api import UsageError
from pi_catalog import Item
from pi_catalog.item import KINDS, Kind
from pi_catalog.switches import patterns, setting, switched_off

from pi_config.desk import Desk
from pi_config.inventory import DISABLED_PLUGINS, items, switched_off_by

_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Target:
    """What a word on the command line means: a plugin, or something of a kind."""

    kind: Kind | None
    name: str

    @property
    def path(self) -> str:
        """The setting that lists what is switched off."""
        return setting(self.kind) if self.kind else DISABLED_PLUGINS

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.kind else self.name


def switch(desk: Desk, words: Iterable[str], *, on: bool, home: Path) -> list[str]:
    """Switch all of the words or none, and tell what came of each. `UsageError` when one of them names nothing."""
    targets = [resolve(desk, word, on=on, home=home) for word in words]
    said: list[str] = []
    for target in targets:
        already = (target.name in _listed(desk, target)) is not on
        if not already:
            desk.settings.change(target.path, partial(_changed, name=target.name, on=on), desk.scope)
        said.append(_told(desk, target, on=on, already=already))
    return said


def resolve(desk: Desk, word: str, *, on: bool, home: Path) -> Target:
    """A plugin's name, its distribution's, or KIND:NAME. What is already listed may always be switched on again."""
    kind, colon, name = word.partition(":")
    if colon:
        return _resource(desk, kind, name, home)
    known = {info.name: info.source.distribution for info in desk.kernel.plugins()}
    by_distribution = {distribution: plugin for plugin, distribution in known.items()}
    plugin = word if word in known else by_distribution.get(word, word)
    target = Target(None, plugin)
    if plugin in known or (on and plugin in _listed(desk, target)):
        return target
    raise UsageError(f"no plugin {word!r} is installed{_hint(word, known)}")


def _resource(desk: Desk, word: str, name: str, home: Path) -> Target:
    kind = next((kind for kind in KINDS if word in (kind, f"{kind}s")), None)
    if kind is None or not name:
        raise UsageError(f"{word}:{name} is nothing to switch; write skill:NAME, prompt:NAME or theme:NAME")
    target = Target(kind, name)
    if _GLOB & set(name) or name in _listed(desk, target):
        return target
    desk.load_builtin()
    known = [row.item.name for row in items(desk, kind, home=home)[0]]
    # Plugins of third parties are not asked what they bring, so their word is taken for it.
    if name in known or desk.third_party:
        return target
    raise UsageError(f"no {kind} {name!r} is there{_hint(name, known)}")


def _hint(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word, list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else "; `pi config list` shows what there is"


def _listed(desk: Desk, target: Target) -> list[Any]:
    """What the file of the desk's scope lists."""
    found = desk.settings.get(target.path, desk.scope)
    return found if isinstance(found, list) else []


def _changed(old: Any, *, name: str, on: bool) -> list[Any]:
    kept = [one for one in old if one != name] if isinstance(old, list) else []
    return kept if on else [*kept, name]


def _told(desk: Desk, target: Target, *, on: bool, already: bool) -> str:
    words = f"{'already ' if already else ''}{'enabled' if on else 'disabled'}"
    where = "in this project" if desk.scope == "project" else "for you"
    still = _still_off(desk, target) if on else ""
    return f"{target}: {words} {where}{f', but still off by {still}' if still else ''}"


def _still_off(desk: Desk, target: Target) -> str:
    """What else keeps a thing off that has just been switched on; "" when nothing does."""
    if target.kind is None:
        return " and ".join(switched_off_by(desk, target.name))
    item = Item(target.kind, target.name, Path(target.name), "")
    left = [pattern for pattern in patterns(desk.settings, target.kind) if switched_off(item, [pattern])]
    return f"{left[0]!r} in {target.path}" if left else ""
