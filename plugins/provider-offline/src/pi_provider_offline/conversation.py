"""From the messages of a request to what the model does next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pi_api.messages import AssistantMessage, Text, ToolResultMessage, UserMessage
from pi_api.provider import ProviderMessage

from pi_provider_offline.plans import PLANS
from pi_provider_offline.plans.talking import list_abilities, text
from pi_provider_offline.understanding import Understood, understand
from pi_provider_offline.work import CannotError, Plan, Result, Step, Toolbox


@dataclass(frozen=True, slots=True)
class Exchange:
    """The newest things the user said, and the results of every answer given since, one tuple an answer."""

    said: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    first: bool

    @property
    def understood(self) -> Understood | None:
        """The last of the sayings that is understood: a plugin's message may stand behind the user's own."""
        return next(filter(None, map(understand, reversed(self.said))), None)


def exchange(messages: Sequence[ProviderMessage]) -> Exchange:
    """The part of a conversation that is still open."""
    last = max((place for place, one in enumerate(messages) if isinstance(one, UserMessage)), default=-1)
    begin = last
    while begin > 0 and isinstance(messages[begin - 1], UserMessage):
        begin -= 1
    said = tuple(plain(one) for one in messages[max(begin, 0) : last + 1] if isinstance(one, UserMessage))
    earlier = any(isinstance(one, AssistantMessage) for one in messages[: max(begin, 0)])
    return Exchange(said, tuple(answered(messages[last + 1 :])), not earlier)


def answered(messages: Sequence[ProviderMessage]) -> Iterator[tuple[Result, ...]]:
    """The results of each answer in order; a call without a result counts as failed."""
    given = {one.tool_call_id: one for one in messages if isinstance(one, ToolResultMessage)}
    for message in messages:
        if isinstance(message, AssistantMessage) and message.tool_calls:
            yield tuple(result(given.get(call.id), call.name) for call in message.tool_calls)


def result(message: ToolResultMessage | None, tool: str) -> Result:
    """A tool result message as plans see it."""
    if message is None:
        return Result(tool, "The call was interrupted.", failed=True)
    return Result(tool, "".join(block.text for block in message.content if isinstance(block, Text)), message.is_error)


def plain(message: UserMessage) -> str:
    """All text of a user message."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(block.text for block in message.content if isinstance(block, Text))


def next_move(messages: Sequence[ProviderMessage], tools: frozenset[str]) -> Step | str:
    """The calls to make now, or the answer."""
    current = exchange(messages)
    found = current.understood
    toolbox = Toolbox(tools)
    if found is None:
        return "\n\n".join((text("unknown"), answer_of(list_abilities({}, toolbox)), text("connect")))
    try:
        move = replay(PLANS[found.intent.plan](found.slots, toolbox), current.results)
    except CannotError as error:
        move = str(error)
    if isinstance(move, str) and current.first and found.intent.plan != "say":
        return f"{move}\n\n{text('footer')}"
    return move


def replay(plan: Plan, results: Sequence[tuple[Result, ...]]) -> Step | str:
    """Bring a plan to where the conversation stands, and take its next step."""
    try:
        step = next(plan)
        for one in results:
            step = plan.send(one)
    except StopIteration as end:
        return str(end.value)
    return step


def answer_of(plan: Plan) -> str:
    """The answer of a plan that needs no tool."""
    move = replay(plan, ())
    return move if isinstance(move, str) else ""
