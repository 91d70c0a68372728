"""The manifest: one tool, `edit`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Tool


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer `edit`."""
    from pi_tool_edit.tool import edit_tool

    register(edit_tool())
