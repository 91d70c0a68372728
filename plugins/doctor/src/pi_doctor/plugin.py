"""The manifest: the checks of the machine."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    import pluggy
    from pi_api import DoctorCheck


@hookimpl
def pi_addhooks(pm: "pluggy.PluginManager") -> None:
    """Specify the hooks whose registrations are asked for."""
    from pi_api import add_hookspecs

    add_hookspecs(pm)


@hookimpl
def pi_doctor_checks(register: "Callable[[DoctorCheck], None]") -> None:
    """Offer the checks of the machine that pi stands on."""
    from pi_doctor.machine import CHECKS

    for check in CHECKS:
        register(check)
