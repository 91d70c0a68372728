"""Switching plugins off and on for a process, how long one may take, and who wins when two have one name."""

import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pi_kernel import Kernel, main
from pi_kernel import kernel as kernel_module
from pi_kernel.kernel import PLUGIN_DEADLINE, plugin_deadline
from pi_kernel.loader import PluginSource, PluginState

PLUGIN = """
    from pi_kernel import hookimpl
    @hookimpl
    def pi_register(registry):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "t_switch_ours.py").write_text(dedent(PLUGIN), "utf-8")
    (tmp_path / "t_switch_theirs.py").write_text("raise SystemExit('imported')", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in ("t_switch_ours", "t_switch_theirs"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def source(module: str, distribution: str, name: str = "tidy") -> PluginSource:
    return PluginSource(name, module, distribution, "1", "", "")


def make(folder: Path, *sources: PluginSource, **options: Any) -> Kernel:
    return Kernel(env={"PI_CODING_AGENT_DIR": str(folder)}, sources=lambda: list(sources), **options)


def states(kernel: Kernel) -> list[PluginState]:
    return [plugin.state for plugin in kernel.plugins()]


def test_a_command_may_use_a_plugin_that_settings_switch_off(folder: Path) -> None:
    (folder / "settings.json").write_text('{"plugins": {"disabled": ["tidy"]}} // off')
    kernel = make(folder, source("t_switch_ours", "pi-tidy"))
    kernel.load()
    assert states(kernel) == [PluginState.DISABLED]
    kernel.enable({"tidy", "unheard-of"})
    kernel.load()
    assert states(kernel) == [PluginState.LOADED]


def test_the_members_of_the_bundle_win_over_others_of_the_same_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_module, "requirements", lambda bundle: frozenset({"pi-tidy"}))
    theirs, ours = source("t_switch_theirs", "a-tidy"), source("t_switch_ours", "Pi_Tidy")
    kernel = make(folder, theirs, ours, bundle="pi")
    kernel.load()
    (plugin,) = kernel.plugins()
    assert (plugin.source, plugin.builtin, plugin.state) == (ours, True, PluginState.LOADED)
    assert "t_switch_theirs" not in sys.modules
    assert [failure.plugin for failure in kernel.failures] == ["tidy"] and "'a-tidy'" in str(kernel.failures[0])


def test_the_commands_of_the_bundle_win_over_others_of_the_same_word(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours, other = source("a", "a-config"), source("b", "pi-config"), source("c", "c-config", "other")
    scanning = sys.modules["pi_kernel.loader.scan"]
    monkeypatch.setattr(scanning, "scan", lambda group: [theirs, ours, other])
    monkeypatch.setattr(scanning, "requirements", lambda bundle: frozenset({"pi-config"}))
    assert main.installed_commands("pi") == {"tidy": ours, "other": other}
    assert main.installed_commands() == {"tidy": theirs, "other": other}


DEADLINES = [
    ("2.5", 2.5),
    ("", PLUGIN_DEADLINE),
    ("soon", PLUGIN_DEADLINE),
    ("0", PLUGIN_DEADLINE),
    ("-1", PLUGIN_DEADLINE),
]


@pytest.mark.parametrize(("text", "seconds"), [*DEADLINES, ("inf", PLUGIN_DEADLINE), ("nan", PLUGIN_DEADLINE)])
def test_the_deadline_of_plugins_can_be_set_to_a_positive_number(text: str, seconds: float) -> None:
    assert plugin_deadline({"PI_PLUGIN_DEADLINE": text}) == seconds
