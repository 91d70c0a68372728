"""Dotted paths into settings: `retry.maxRetries`, and `models."gpt-4.1".level` where a key has a dot of its own."""

import json
import re
from collections.abc import Iterable

from pi_api import UsageError

_PART = re.compile(r'("(?:[^"\\]|\\.)*"|[^."]+)(\.|$)')
_BARE = re.compile(r'[^."]+')

Keys = tuple[str, ...]


def split(path: str) -> Keys:
    """The keys of a dotted path; "" has none. `UsageError` when it is not one."""
    keys: list[str] = []
    position = 0
    while position < len(path):
        found = _PART.match(path, position)
        if found is None or (found[2] and found.end() == len(path)):
            raise UsageError(f"{path!r} is no setting; write it like bash.timeout, quoting keys that hold a dot")
        keys.append(_unquoted(found[1], path))
        position = found.end()
    return tuple(keys)


def join(keys: Iterable[str]) -> str:
    """The dotted path of some keys."""
    return ".".join(key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False) for key in keys)


def _unquoted(part: str, path: str) -> str:
    if not part.startswith('"'):
        return part
    try:
        return str(json.loads(part))
    except ValueError as error:
        raise UsageError(f"the quoted key in {path!r} is not a JSON string: {error}") from error
