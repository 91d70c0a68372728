"""Messages that wait for their moment in a run."""

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pi_api.messages import CustomMessage, Text, UserMessage

if TYPE_CHECKING:
    from pi_agent.settings import Mode

Waiting = UserMessage | CustomMessage


@dataclass(slots=True)
class Queues:
    """Steering is delivered after a turn, follow-ups when a run would end."""

    steering: deque[Waiting] = field(default_factory=deque)
    follow_up: deque[Waiting] = field(default_factory=deque)

    def __bool__(self) -> bool:
        return bool(self.steering or self.follow_up)

    @property
    def texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(map(words, self.steering)), tuple(map(words, self.follow_up))

    def clear(self) -> None:
        self.steering.clear()
        self.follow_up.clear()


def taken(queue: deque[Waiting], mode: "Mode") -> list[Waiting]:
    """Take what is to be delivered now: the oldest, or all."""
    count = len(queue) if mode == "all" else min(1, len(queue))
    return [queue.popleft() for _ in range(count)]


def words(message: Waiting) -> str:
    """The text of a waiting message."""
    if isinstance(message.content, str):
        return message.content
    return "".join(block.text for block in message.content if isinstance(block, Text))
