"""Noticing a run that gets nowhere: the same call again and again, or more requests than allowed."""

import json
import re
from collections import Counter, deque
from collections.abc import Sequence

from pi_api.messages import ToolCall

from pi_agent.texts import text

WINDOW = 48
"""Turns with tool calls that are looked back on."""

_VOLATILE = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # UUID
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"  # time, ISO 8601
    r"|\b1\d{9}(?:\d{3})?\b"  # seconds or milliseconds since 1970
)


class StallGuard:
    """Counts the turns of one prompt; `limit` equal calls, or `max_turns` requests, are too many (0: never)."""

    def __init__(self, limit: int = 12, max_turns: int = 0) -> None:
        self._limit = limit
        self._max_turns = max_turns
        self._turns = 0
        self._window: deque[frozenset[str]] = deque(maxlen=WINDOW)
        self._counts: Counter[str] = Counter()

    def after_turn(self, calls: Sequence[ToolCall]) -> str | None:
        """Count a turn; the text to close the run with when it has to be stopped."""
        self._turns += 1
        if not calls:
            return None
        signatures = {signature(call): call.name for call in calls}
        if len(self._window) == WINDOW:
            self._counts.subtract(self._window[0])
        self._window.append(frozenset(signatures))
        self._counts.update(signatures.keys())
        worst = max(signatures, key=lambda one: self._counts[one])
        if self._limit and self._counts[worst] >= self._limit:
            return text("stalled").format(tool=signatures[worst], count=self._counts[worst])
        if self._max_turns and self._turns >= self._max_turns:
            return text("turns_used_up").format(count=self._turns)
        return None


def signature(call: ToolCall) -> str:
    """The call as text in which times and UUIDs are all alike and the order of arguments plays no part."""
    arguments = json.dumps(call.arguments, sort_keys=True, default=str)
    return f"{call.name} {_VOLATILE.sub('*', arguments)}"
