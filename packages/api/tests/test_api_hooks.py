"""Each feature hook: what a plugin registers through it is what the host finds under its kind."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pi_api import add_hookspecs, hooks, hookspecs
from pi_api.command import Command, Flag, Mode
from pi_api.kinds import (
    COMMANDS,
    DOCTOR_CHECKS,
    FLAGS,
    MODES,
    PROVIDERS,
    RESOURCES,
    SERVICES,
    SETTINGS_SECTIONS,
    SHELL_TIERS,
    TOOLS,
    service,
)
from pi_api.resource import DoctorCheck, Finding, Resource
from pi_api.services import Service, ServiceKey
from pi_api.settings import SettingsSection
from pi_api.tool import Tool
from pi_kernel import Kernel, hookimpl
from pi_kernel import hookspecs as lifecycle
from pi_kernel.loader import PluginSource
from pi_kernel.registry import Kind


async def nothing(*arguments: Any) -> Any:
    return None


def kernel_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **functions: Any) -> Kernel:
    """A kernel with one plugin that implements the given hooks."""
    plugin = SimpleNamespace(
        pi_addhooks=hookimpl(add_hookspecs),
        **{name: hookimpl(function) for name, function in functions.items()},
    )
    monkeypatch.setitem(__import__("sys").modules, "given_plugin", SimpleNamespace(plugin=plugin))
    kernel = Kernel(
        sources=lambda: [PluginSource("given", "given_plugin:plugin", "pi-given", "1", "", "")],
        env={"PI_CODING_AGENT_DIR": str(tmp_path)},
        deadline=30,
    )
    kernel.load()
    assert kernel.failures == []
    return kernel


def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: Kind[Any], value: Any) -> None:
    kernel = kernel_with(monkeypatch, tmp_path, **{kind.hook: lambda register: register(value)})
    (registered,) = kernel.all(kind)
    assert (registered.value, registered.plugin) == (value, "given")
    assert kernel.get(kind, registered.name) is value


def test_hook_pi_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, TOOLS, Tool("t", "d", {}, nothing))


def test_hook_pi_providers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, PROVIDERS, SimpleNamespace(name="p"))


def test_hook_pi_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, COMMANDS, Command("c", "d", nothing))


def test_hook_pi_flags(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, FLAGS, Flag("f", "help"))


def test_hook_pi_modes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, MODES, Mode("m", "d", nothing))


def test_hook_pi_shell_tiers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, SHELL_TIERS, SimpleNamespace(name="tier"))


def test_hook_pi_resources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, RESOURCES, Resource("skill", "package", "skills"))


def test_hook_pi_doctor_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, DOCTOR_CHECKS, DoctorCheck("c", "label", lambda view: Finding(True, "fine")))


def test_hook_pi_settings_of_the_contract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found(monkeypatch, tmp_path, SETTINGS_SECTIONS, SettingsSection("s", "module:Model"))


def test_hook_pi_services(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key: ServiceKey[list[str]] = ServiceKey("greetings")
    made: list[Any] = []

    def create(kernel: Kernel) -> list[str]:
        made.append(kernel)
        return ["hello"]

    kernel = kernel_with(monkeypatch, tmp_path, pi_services=lambda register: register(Service(key, create)))
    assert [value.name for value in kernel.all(SERVICES)] == ["greetings"]
    assert made == []
    assert service(kernel, key) == ["hello"]
    assert service(kernel, key) is service(kernel, key)
    assert made == [kernel]
    assert service(kernel, ServiceKey("other")) is None


def test_the_typed_protocol_has_every_hook_and_no_other() -> None:
    specified = {name for module in (lifecycle, hookspecs) for name in vars(module) if name.startswith("pi_")}
    assert {name for name in vars(hooks.Hooks) if name.startswith("pi_")} == specified


def test_specifying_the_hooks_twice_is_harmless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kernel = kernel_with(monkeypatch, tmp_path)
    add_hookspecs(kernel._pm)
    assert kernel._pm.hook.pi_tools.has_spec()
