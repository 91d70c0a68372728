"""Each lifecycle hook: when it is called, with what, and in which order."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest
from pi_kernel import Kernel, hookimpl
from pi_kernel.bus import Bus, Observe
from pi_kernel.loader import PluginSource
from pi_kernel.registry import Kind

NOTE: Kind[str] = Kind("note", key=str)
SECTION: Kind[str] = Kind("settings section", key=str, hook="pi_settings")


class Ping(Observe):
    pass


def kernel_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **plugins: Any) -> Kernel:
    """A kernel whose plugins are the given objects, loaded."""
    holder = SimpleNamespace(**plugins)
    monkeypatch.setitem(__import__("sys").modules, "given_plugins", holder)
    sources = [PluginSource(name, f"given_plugins:{name}", f"pi-{name}", "1", "", "") for name in sorted(plugins)]
    kernel = Kernel(sources=lambda: sources, env={"PI_CODING_AGENT_DIR": str(tmp_path)}, deadline=30)
    kernel.load()
    return kernel


def plugin(**hooks: Any) -> Any:
    return SimpleNamespace(**{name: hookimpl(function) for name, function in hooks.items()})


def test_hook_pi_addhooks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[str] = []

    def pi_addhooks(pm: pluggy.PluginManager) -> None:
        spec = SimpleNamespace(pi_extra=pluggy.HookspecMarker("pi")(lambda value: None))
        pm.add_hookspecs(spec)

    def pi_extra(value: str) -> None:
        seen.append(value)

    host, user = plugin(pi_addhooks=pi_addhooks), plugin(pi_extra=pi_extra)
    kernel = kernel_with(monkeypatch, tmp_path, zhost=host, auser=user)
    assert kernel.failures == []
    list(kernel.call("pi_extra", value="called"))
    assert seen == ["called"]


def test_hook_pi_register(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kernel = kernel_with(monkeypatch, tmp_path, a=plugin(pi_register=lambda registry: registry.add(NOTE, "hello")))
    assert [(value.value, value.plugin) for value in kernel.all(NOTE)] == [("hello", "a")]


def test_hook_pi_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def pi_settings(register: Any) -> None:
        asked.append("asked")
        register("colours")

    kernel = kernel_with(monkeypatch, tmp_path, a=plugin(pi_settings=pi_settings))
    assert asked == []
    assert kernel.get(SECTION, "colours") == "colours"
    assert kernel.get(SECTION, "sounds") is None
    assert asked == ["asked"]


async def test_hook_pi_session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log: list[tuple[str, Any]] = []

    def pi_session(session: Any, bus: Bus) -> None:
        log.append(("bound", session))
        bus.on(Ping, lambda event: 1 / 0)

    kernel = kernel_with(monkeypatch, tmp_path, a=plugin(pi_session=pi_session))
    bus = kernel.bus()
    kernel.bind("the session", bus)
    await bus.emit(Ping())
    assert log == [("bound", "the session")]
    (failure,) = kernel.failures
    assert str(failure) == (
        "plugin 'a' failed on Ping: ZeroDivisionError: division by zero "
        "(what it was to do was not done; `pi config disable a` takes it out of use)"
    )


async def test_a_plugin_that_fails_while_a_session_is_bound_hears_nothing_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log: list[str] = []

    def pi_session(session: Any, bus: Bus) -> None:
        bus.on(Ping, lambda event: log.append("half bound"))
        raise RuntimeError("no")

    kernel = kernel_with(monkeypatch, tmp_path, a=plugin(pi_session=pi_session))
    bus = kernel.bus()
    kernel.bind("the session", bus)
    await bus.emit(Ping())
    assert log == []
    assert "pi_session" in str(kernel.failures[0])


def test_hook_pi_teardown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log: list[str] = []

    def fail(kernel: Kernel) -> None:
        raise RuntimeError("no")

    kernel = kernel_with(
        monkeypatch, tmp_path, a=plugin(pi_teardown=fail), b=plugin(pi_teardown=lambda kernel: log.append("b"))
    )
    kernel.close()
    assert log == ["b"]


def test_implementations_run_in_load_order_with_tryfirst_before_and_trylast_after(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log: list[str] = []

    def named(name: str, **options: bool) -> Any:
        return SimpleNamespace(pi_teardown=hookimpl(**options)(lambda: log.append(name)))

    kernel = kernel_with(
        monkeypatch,
        tmp_path,
        a=named("last", trylast=True),
        b=named("b"),
        c=named("c"),
        d=named("first", tryfirst=True),
    )
    kernel.close()
    assert log == ["first", "b", "c", "last"]
