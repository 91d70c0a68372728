"""The manifest: one tool, `find`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Tool


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer `find`."""
    from pi_tool_find.tool import find_tool

    register(find_tool())
