"""The manifest: one tool, `grep`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Tool


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer `grep`."""
    from pi_tool_grep.tool import grep_tool

    register(grep_tool())
