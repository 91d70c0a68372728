"""What the user asked for last, as an intent and slots: attachments taken off, `it` put into words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pi_api.messages import AssistantMessage, Text, UserMessage
from pi_api.provider import ProviderMessage

from pi_provider_offline.understanding import Understood, understand, words

_ATTACHED = re.compile(r'<file name="(?P<name>[^"]*)">.*?</file>\s*', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """The request as understood and notes on how; `unclear` is a word that stands for nothing known.

    `first`: it opens the conversation.
    """

    understood: Understood | None
    notes: tuple[str, ...] = ()
    unclear: str = ""
    first: bool = True


def asked(messages: Sequence[ProviderMessage]) -> Asked:
    """The newest request of a conversation.

    Of several user messages in a row the last that is understood counts: plugins may have put theirs behind it.
    """
    end = newest(messages)
    begin = end
    while begin > 0 and isinstance(messages[begin - 1], UserMessage):
        begin -= 1
    said = [one for one in messages[begin : end + 1] if isinstance(one, UserMessage)]
    before = messages[:begin]
    first = not any(isinstance(one, AssistantMessage) for one in before)
    for message in reversed(said):
        found = request_in(plain(message), spoken_of(before))
        if found is not None:
            return replace(found, first=first)
    return Asked(None, first=first)


def newest(messages: Sequence[ProviderMessage]) -> int:
    """The place of the last user message; -1 when there is none."""
    return max((place for place, one in enumerate(messages) if isinstance(one, UserMessage)), default=-1)


def request_in(text: str, subject: str) -> Asked | None:
    """The request in a message: all of it, or its last line when something else stands before that."""
    attached = [match["name"] for match in _ATTACHED.finditer(text)]
    request = _ATTACHED.sub("", text).strip()
    if not request and attached:
        return _attached_only(attached)
    subject = attached[0] if len(attached) == 1 else subject
    if (found := understand(request)) is not None:
        return referred(found, subject)
    last = request.splitlines()[-1] if request else ""
    if last != request and (found := understand(last)) is not None:
        return replace(referred(found, subject), notes=(f"I took the last line for the request: “{last.strip()}”.",))
    return None


def _attached_only(names: Sequence[str]) -> Asked | None:
    found = understand(f'read "{names[0]}"')
    note = f"You attached {' and '.join(f'`{name}`' for name in names)} and asked nothing; I read the first."
    return Asked(found, (note,) if len(names) > 1 else ())


def referred(found: Understood, subject: str) -> Asked:
    """The request with `it` and the like replaced by the file they stand for."""
    path = found.slots.get("path", "")
    if path.lower() not in words()["before"]["names"]:
        return Asked(replace(found, slots={**found.slots, **({"path": path.removeprefix("@")} if path else {})}))
    if not subject:
        return Asked(found, unclear=path)
    return Asked(replace(found, slots={**found.slots, "path": subject}), (f"(“{path}” is `{subject}`.)",))


def spoken_of(messages: Sequence[ProviderMessage]) -> str:
    """The path that a tool was last called with, or nothing."""
    for message in reversed(messages):
        if isinstance(message, AssistantMessage):
            for call in reversed(message.tool_calls):
                path = call.arguments.get("path")
                if isinstance(path, str) and path != ".":
                    return path
    return ""


def plain(message: UserMessage) -> str:
    """All text of a user message."""
    if isinstance(message.content, str):
        return message.content
    return "\n".join(block.text for block in message.content if isinstance(block, Text))
