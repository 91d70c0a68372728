"""The manifest: one tool, `ls`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Tool


@hookimpl
def pi_tools(register: "Callable[[Tool], None]") -> None:
    """Offer `ls`."""
    from pi_tool_ls.tool import ls_tool

    register(ls_tool())
