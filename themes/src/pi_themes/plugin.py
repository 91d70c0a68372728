"""The manifest: the folder of themes, and nothing else."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_kernel import hookimpl

if TYPE_CHECKING:
    from pi_api import Resource


@hookimpl
def pi_resources(register: "Callable[[Resource], None]") -> None:
    """Name this package as a folder of themes."""
    from pi_api import Resource

    register(Resource("theme", "pi_themes", "."))
