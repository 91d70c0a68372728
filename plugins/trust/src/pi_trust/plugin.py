"""The manifest: one service, two flags, one slash command, one notice, one check."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Command, DoctorCheck, Flag, Service, Session
    from pi_kernel.bus import Bus


@hookimpl
def pi_services(register: "Callable[[Service[Any]], None]") -> None:
    """Offer the trust service."""
    from pi_api import TRUST, Service

    from pi_trust.trust import trust_of

    register(Service(TRUST, trust_of))


@hookimpl
def pi_flags(register: "Callable[[Flag], None]") -> None:
    """Offer the answers for one run."""
    from pi_api import Flag

    register(Flag("approve", "use what this project brings along, for this run", short="a", section="trust"))
    register(Flag("no-approve", "ignore what this project brings along, for this run", short="na", section="trust"))


@hookimpl
def pi_commands(register: "Callable[[Command], None]") -> None:
    """Offer `/trust`."""
    from pi_trust.slash import TRUST_COMMAND

    register(TRUST_COMMAND)


@hookimpl
def pi_doctor_checks(register: "Callable[[DoctorCheck], None]") -> None:
    """Offer a look at the stored decisions."""
    from pi_trust.trust import CHECK

    register(CHECK)


@hookimpl
def pi_session(session: "Session", bus: "Bus") -> None:
    """Say at the start what is left out because nobody has decided."""
    from pi_api.events import SessionStart

    from pi_trust.notice import announcer
    from pi_trust.trust import trust_of

    bus.on(SessionStart, announcer(session, bus, trust_of(session.kernel)))
