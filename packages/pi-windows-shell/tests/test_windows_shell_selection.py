"""The selection is the shell and nothing but the shell, so that it can join any other selection."""

from importlib.metadata import distribution, entry_points

from packaging.requirements import Requirement
from pi_kernel.kernel import Kernel
from pi_kernel.loader import PluginState


def pinned() -> set[str]:
    """The distributions that the selection consists of."""
    return {Requirement(line).name for line in distribution("pi-windows-shell").requires or [] if "extra" not in line}


def test_it_brings_the_bash_tool_and_no_other() -> None:
    names = {point.name for point in entry_points(group="pi.plugins") if point.dist and point.dist.name in pinned()}
    assert {name for name in names if name.startswith("tool-")} == {"tool-bash"}
    assert not names & {"agent", "cli", "mode-print"}


def test_its_plugins_load_beside_nothing_else() -> None:
    kernel = Kernel(bundle="pi-windows-shell")
    try:
        builtin = [info.name for info in kernel.plugins() if info.builtin]
        kernel.load(only=builtin)
        assert kernel.failures == []
        assert {info.state for info in kernel.plugins() if info.builtin} == {PluginState.LOADED}
        assert "tool-bash" in builtin
    finally:
        kernel.close()
