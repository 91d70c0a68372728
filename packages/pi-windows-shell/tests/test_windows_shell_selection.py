"""The selection is the shell and nothing but the shell, so that it can join any other selection."""

from collections.abc import Callable
from importlib.metadata import distribution, entry_points

from packaging.requirements import Requirement
from pi_testkit.host import PluginHost


def plugins() -> dict[str, str]:
    """The plugins of the selection: the dotted name of each by its name."""
    requires = [line for line in distribution("pi-windows-shell").requires or [] if "extra" not in line]
    pinned = {Requirement(line).name for line in requires}
    found = entry_points(group="pi.plugins")
    return {point.name: point.value for point in found if point.dist is not None and point.dist.name in pinned}


def test_it_brings_the_bash_tool_and_no_other() -> None:
    assert {name for name in plugins() if name.startswith("tool-")} == {"tool-bash"}
    assert not plugins().keys() & {"agent", "cli", "mode-print"}


def test_its_plugins_load_beside_nothing_else(plugin_host: Callable[..., PluginHost]) -> None:
    host = plugin_host(**plugins())
    assert host.failures == []
    assert set(host.names) == set(plugins())
