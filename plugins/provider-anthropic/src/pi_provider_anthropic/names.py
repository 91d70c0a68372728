"""Tool names as the API accepts them, and the way back to the tools' own."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64


@dataclass(slots=True)
class Names:
    """Unique names of letters, digits, `_` and `-`, at most 64 long, for names of any kind; and the way back."""

    _given: dict[str, str] = field(default_factory=dict)
    _taken: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """The acceptable name that stands for this one, the same every time."""
        if name not in self._given:
            base = _FOREIGN.sub("_", name)[:_LONGEST] or "_"
            chosen, number = base, 1
            while chosen in self._taken:
                number += 1
                suffix = f"_{number}"
                chosen = base[: _LONGEST - len(suffix)] + suffix
            self._given[name], self._taken[chosen] = chosen, name
        return self._given[name]

    def back(self, name: str) -> str:
        """The name that an acceptable one stands for; unknown ones stand for themselves."""
        return self._taken.get(name, name)


def names_of(tools: Iterable[str]) -> Names:
    """Names for these tools; those that need no change keep theirs whatever the order."""
    names, listed = Names(), list(tools)
    for tool in sorted(listed, key=lambda one: (bool(_FOREIGN.search(one)) or len(one) > _LONGEST, listed.index(one))):
        names.of(tool)
    return names
