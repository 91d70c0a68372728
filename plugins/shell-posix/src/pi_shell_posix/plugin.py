"""The manifest: one shell tier."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import ShellTier


@hookimpl
def pi_shell_tiers(register: "Callable[[ShellTier], None]") -> None:
    from pi_shell_posix.tier import PosixTier

    register(PosixTier())
