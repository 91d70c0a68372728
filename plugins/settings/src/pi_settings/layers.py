"""Trees of settings: merged, looked into, changed. Pure functions over JSON objects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pi_api.settings import Layer

from pi_settings.paths import Keys

Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """One layer's tree, and where it was read from as people know it: a file, a variable, the command line."""

    layer: Layer
    tree: Tree
    origin: str = ""


def merged(trees: "list[Tree]") -> Tree:
    """Later trees over earlier ones: objects merge, everything else replaces."""
    result: Tree = {}
    for tree in trees:
        _merge_into(result, tree)
    return result


def _merge_into(target: Tree, tree: Mapping[str, Any]) -> None:
    for key, value in tree.items():
        if isinstance(value, dict):
            below = target.get(key)
            target[key] = merged([below, value]) if isinstance(below, dict) else merged([value])
        else:
            target[key] = value


def holds(tree: Tree, keys: Keys) -> bool:
    """The tree has a value at exactly these keys."""
    for key in keys:
        if not isinstance(tree, dict) or key not in tree:
            return False
        tree = tree[key]
    return True


def lookup(tree: Tree, keys: Keys) -> Any:
    """The value at some keys, or `None`."""
    value: Any = tree
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def nested(keys: Keys, value: Any) -> Any:
    """The smallest tree with a value at some keys; the value itself when there are none."""
    for key in reversed(keys):
        value = {key: value}
    return value


def without(tree: Tree, keys: Keys) -> Tree:
    """The tree less the value at some keys; no keys leave nothing."""
    if not keys:
        return {}
    head, *rest = keys
    if head not in tree:
        return tree
    if not rest or not isinstance(tree[head], dict):
        return {key: value for key, value in tree.items() if key != head}
    return {**tree, head: without(tree[head], tuple(rest))}


def leaves(tree: Tree, above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Every value that is not an object with something in it, with its keys."""
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key), value
