"""From the messages of a request to what the model does next."""

from collections.abc import Iterator, Sequence

from pi_api.messages import AssistantMessage, Text, ToolResultMessage
from pi_api.provider import ProviderMessage

from pi_provider_offline.plans import PLANS
from pi_provider_offline.plans.talking import list_abilities, text
from pi_provider_offline.requests import Asked, asked, newest
from pi_provider_offline.work import CannotError, Plan, Result, Step, Toolbox


def next_move(messages: Sequence[ProviderMessage], tools: frozenset[str]) -> Step | str:
    """The calls to make now, or the answer."""
    request = asked(messages)
    if request.understood is None:
        return "\n\n".join((text("unknown"), str(replay(list_abilities({}, Toolbox(tools)), ())), text("connect")))
    if request.unclear:
        return f"Which file do you mean by “{request.unclear}”? Say its name."
    move = worked(request, Toolbox(tools), tuple(answered(messages[newest(messages) + 1 :])))
    return move if isinstance(move, Step) else finished(request, move)


def worked(request: Asked, toolbox: Toolbox, results: Sequence[tuple[Result, ...]]) -> Step | str:
    """The plan of the request, as far as the results go."""
    if request.understood is None:
        return ""
    intent, slots = request.understood.intent, request.understood.slots
    try:
        return replay(PLANS[intent.plan](slots, toolbox), results)
    except CannotError as error:
        return str(error)


def finished(request: Asked, answer: str) -> str:
    """The answer with how the request was understood, and once in a conversation with who is speaking."""
    spoken = request.understood is not None and request.understood.intent.plan in ("say", "list_abilities")
    footer = [text("footer")] if request.first and not spoken else []
    return "\n\n".join([*request.notes, answer, *footer])


def replay(plan: Plan, results: Sequence[tuple[Result, ...]]) -> Step | str:
    """Bring a plan to where the conversation stands, and take its next step."""
    try:
        step = next(plan)
        for one in results:
            step = plan.send(one)
    except StopIteration as end:
        return str(end.value)
    return step


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
