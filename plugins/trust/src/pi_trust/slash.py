"""`/trust [yes|no|forget]` in a session."""

from pi_api import Command, CommandContext, PiError

from pi_trust.trust import trust_of
from pi_trust.words import ANSWERS, decided, standing


async def run(arguments: str, context: CommandContext) -> None:
    """Show or store the decision about the session's directory."""
    word, session = arguments.strip(), context.session
    trust = trust_of(session.kernel)
    try:
        if word == "":
            context.say(standing(trust, session.cwd))
        elif word in ANSWERS:
            trust.decide(session.cwd, ANSWERS[word])
            context.say(decided(trust, session.cwd, ANSWERS[word]) + " It counts for sessions started from now on.")
        else:
            context.say(f"/trust takes yes, no or forget, not {word!r}")
    except PiError as error:
        context.say(str(error))


def complete(prefix: str) -> list[str]:
    """The answers that begin like this."""
    return [word for word in ANSWERS if word.startswith(prefix)]


TRUST_COMMAND = Command("trust", "Show or decide whether this project is trusted: yes, no, forget", run, complete)
