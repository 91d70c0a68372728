"""The microkernel of pi: an event bus, a session tree and a plugin loader.

Names are resolved on first use, so that `pi --version` imports nothing but the literal below.
"""

__version__ = "0.1.0"

# Type checkers take it for true by its name; importing it from `typing` would cost more than all of `pi --version`.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from pi_kernel.kernel import Kernel as Kernel
    from pi_kernel.markers import hookimpl as hookimpl
    from pi_kernel.markers import hookspec as hookspec

_HOMES = {"Kernel": "pi_kernel.kernel", "hookimpl": "pi_kernel.markers", "hookspec": "pi_kernel.markers"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pi_kernel' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
