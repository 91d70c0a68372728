"""`pi config get`, `set` and `unset`."""

import json
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from pi_api import PiError, UsageError
from pi_api.settings import Origin

from pi_config.desk import Desk


class NotSet(PiError):
    """Nothing sets what was asked for, and it has no default."""


def get(desk: Desk, path: str, *, as_json: bool) -> str:
    """One value as it stands, or a line for each below the path with what decided it. `NotSet` when there is none."""
    desk.load_builtin()
    origins = list(desk.settings.explain(path))
    if path and not origins:
        raise NotSet(f"{path} is not set{_hint(path, desk)}")
    if as_json:
        return json.dumps([_facts(origin) for origin in origins], indent=2, ensure_ascii=False)
    if [origin.path for origin in origins] == [path]:
        return _plain(origins[0].value)
    width = max((len(origin.path) for origin in origins), default=0)
    return "\n".join(f"{one.path:<{width}}  {_compact(one.value)}  ({_whence(one)})" for one in origins)


def set_value(desk: Desk, path: str, text: str) -> list[str]:
    """Write a value given as JSON or as plain words, and tell what came of it."""
    desk.load_builtin()
    known = _known(path, desk)
    value = _parsed(text)
    try:
        desk.settings.set(path, value, desk.scope)
    except UsageError:
        # `pi config set name 5` means the text "5" where the owner wants text.
        if isinstance(value, str):
            raise
        desk.settings.set(path, text, desk.scope)
        value = text
    said = [f"{path} = {_compact(value)}"]
    if not known:
        said.append(f"note: no built-in plugin has a setting {path}{_hint(path, desk, besides=path)}")
    deciding = [origin for origin in desk.settings.explain(path) if origin.layer in ("project", "env", "flag")]
    said += [f"note: {one.path} is decided by {_whence(one)}, here and now" for one in deciding if one.value != value]
    return said


def unset(desk: Desk, path: str) -> list[str]:
    """Remove a value and tell what counts instead. `NotSet` when the file does not set it."""
    desk.load_builtin()
    if not desk.settings.unset(path, desk.scope):
        where = "this project's settings" if desk.scope == "project" else "your settings"
        raise NotSet(f"{where} do not set {path}")
    left = [origin for origin in desk.settings.explain(path) if origin.path == path]
    return [f"{path} is no longer set" + (f"; it is {_compact(left[0].value)} ({_whence(left[0])})" if left else "")]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _known(path: str, desk: Desk) -> bool:
    """Some value, default or set, stands at, above or below the path."""
    return bool(desk.settings.explain(path))


def _hint(path: str, desk: Desk, besides: str = "") -> str:
    paths = _ends(origin.path for origin in desk.settings.explain() if origin.path != besides)
    close = get_close_matches(path, paths, n=3, cutoff=0.6) or [one for one in paths if one.endswith(f".{path}")]
    return f"; did you mean {' or '.join(close)}?" if close else "; `pi config get` lists what is set"


def _ends(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths))


def _facts(origin: Origin) -> dict[str, Any]:
    return {"path": origin.path, "value": origin.value, "layer": origin.layer, "from": origin.file or None}


def _whence(origin: Origin) -> str:
    return origin.layer if not origin.file else f"{origin.layer}: {origin.file}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
