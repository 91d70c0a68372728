"""The manifest: one tool, `write`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Tool


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer `write`."""
    from pi_tool_write.tool import write_tool

    register(write_tool())
