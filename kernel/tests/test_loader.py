"""Loading plugins one by one: what each fault is called, that it is undone whole, and that the others do not notice."""

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pi_kernel import Kernel, __version__
from pi_kernel.loader import Hung, PluginFailure, PluginSource, PluginState, Warden
from pi_kernel.loader.loader import check_kernel_range
from pi_kernel.loader.scan import kernel_range, requirements
from pi_kernel.registry import Kind

WORD: Kind[str] = Kind("word", key=str, hook="pi_words")
NOTE: Kind[str] = Kind("note", key=str)

SPECS = """
    import pluggy
    hookspec = pluggy.HookspecMarker("pi")
    @hookspec
    def pi_words(register): ...
"""

HOST = """
    from pi_kernel import hookimpl
    import {specs}
    @hookimpl
    def pi_addhooks(pm):
        pm.add_hookspecs({specs})
"""

GOOD = """
    from pi_kernel import hookimpl
    from pi_kernel.registry import Kind
    @hookimpl
    def pi_register(registry):
        registry.add(Kind("note", key=str), "{name} was here")
    @hookimpl
    def pi_words(register):
        register("{name}")
"""

BROKEN = {
    "import": "raise RuntimeError('at import')",
    "import: exit": "raise SystemExit(3)",
    "import: absent": "import a_module_that_is_not_there",
    "register: signature": GOOD + "    @hookimpl\n    def pi_session(session, bus, weather): ...\n",
    "register: hook": GOOD + "    @hookimpl\n    def pi_wrods(register): ...\n",
    "register: wrapper": GOOD + "    @hookimpl(wrapper=True)\n    def pi_teardown(kernel):\n        yield\n",
    "pi_register": GOOD
    + "    @hookimpl\n    def pi_register(registry):\n        registry.add(Kind('note', key=str), 'half')\n"
    "        raise RuntimeError('in pi_register')\n",
    "pi_words": GOOD
    + "    @hookimpl\n    def pi_words(register):\n        register('half')\n        raise SystemExit(1)\n",
    "pi_addhooks": GOOD + "    @hookimpl\n    def pi_addhooks(pm):\n        raise RuntimeError('in pi_addhooks')\n",
}


class Installed:
    """Plugins written to a folder on the import path, and the sources that stand for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sources: list[PluginSource] = []

    def add(self, name: str, code: str, *, requires: str = "", distribution: str = "") -> None:
        module = f"t_{self.folder.name.replace('-', '_')}_{name.replace('-', '_')}"
        (self.folder / f"{module}.py").write_text(dedent(code), "utf-8")
        self.sources.append(PluginSource(name, module, distribution or f"pi-{name}", "1.0", str(self.folder), requires))

    def host(self) -> None:
        specs = f"t_{self.folder.name.replace('-', '_')}_specs"
        (self.folder / f"{specs}.py").write_text(dedent(SPECS), "utf-8")
        self.add("host", HOST.format(specs=specs))

    def kernel(self, **options: Any) -> Kernel:
        env = {"PI_CODING_AGENT_DIR": str(self.folder / "agent"), **options.pop("env", {})}
        options.setdefault("deadline", 30.0)
        return Kernel(sources=lambda: sorted(self.sources, key=lambda source: source.name), env=env, **options)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    plugins = Installed(tmp_path)
    plugins.host()
    yield plugins
    for name in [name for name in sys.modules if name.startswith(f"t_{tmp_path.name.replace('-', '_')}_")]:
        del sys.modules[name]


def failures(kernel: Kernel) -> list[tuple[str, str, str]]:
    return [
        (failure.plugin, failure.step, type(failure.error).__name__)
        for failure in kernel.failures
        if isinstance(failure, PluginFailure)
    ]


def test_plugins_are_known_before_any_is_imported_and_load_in_name_order(installed: Installed) -> None:
    installed.add("zebra", GOOD.format(name="zebra"))
    installed.add("ant", GOOD.format(name="ant"))
    kernel = installed.kernel()
    assert [(info.name, info.state) for info in kernel.plugins()] == [
        ("ant", PluginState.AVAILABLE),
        ("host", PluginState.AVAILABLE),
        ("zebra", PluginState.AVAILABLE),
    ]
    assert not [name for name in sys.modules if name.startswith(f"t_{installed.folder.name.replace('-', '_')}")]
    kernel.load()
    assert [value.name for value in kernel.all(WORD)] == ["ant", "zebra"]
    assert [(value.value, value.plugin) for value in kernel.all(NOTE)] == [
        ("ant was here", "ant"),
        ("zebra was here", "zebra"),
    ]
    assert kernel.failures == []


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_plugin_is_named_undone_and_alone(installed: Installed, fault: str) -> None:
    installed.add("ant", GOOD.format(name="ant"))
    installed.add("broken", BROKEN[fault].replace("{name}", "broken"))
    installed.add("zebra", GOOD.format(name="zebra"))
    kernel = installed.kernel()
    kernel.load()

    assert [value.name for value in kernel.all(WORD)] == ["ant", "zebra"]
    assert [value.plugin for value in kernel.all(NOTE)] == ["ant", "zebra"]
    (plugin, step, _error) = failures(kernel)[0]
    assert (plugin, step) == ("broken", fault.partition(":")[0])
    assert len(failures(kernel)) == 1
    text = str(kernel.failures[0])
    assert "'broken'" in text
    assert "pi config disable broken" in text
    states = {info.name: info.state for info in kernel.plugins()}
    assert states == {
        "ant": PluginState.LOADED,
        "broken": PluginState.FAILED,
        "host": PluginState.LOADED,
        "zebra": PluginState.LOADED,
    }


def test_a_misspelt_hook_gets_a_suggestion(installed: Installed) -> None:
    installed.add("broken", BROKEN["register: hook"].replace("{name}", "broken"))
    kernel = installed.kernel()
    kernel.load()
    assert "did you mean 'pi_words'?" in str(kernel.failures[0])


@pytest.mark.parametrize("place", ["import", "pi_register", "pi_words", "pi_addhooks"])
def test_a_plugin_that_hangs_is_named_and_the_rest_runs(installed: Installed, place: str) -> None:
    wait = "__import__('threading').Event().wait(60)"
    code = GOOD.format(name="slow")
    if place == "import":
        code = f"{wait}\n"
    else:
        argument = {"pi_register": "registry", "pi_words": "register", "pi_addhooks": "pm"}[place]
        code = GOOD.format(name="slow") + f"    @hookimpl\n    def {place}({argument}):\n        {wait}\n"
    installed.add("slow", code)
    installed.add("zebra", GOOD.format(name="zebra"))
    kernel = installed.kernel(deadline=1.0)
    kernel.load()
    assert [value.name for value in kernel.all(WORD)] == ["zebra"]
    assert failures(kernel) == [("slow", place, "Hung")]


def test_plugins_switched_off_are_not_imported(installed: Installed) -> None:
    for name in ("one", "two", "three", "four"):
        installed.add(name, "raise RuntimeError('imported')")
    agent = installed.folder / "agent"
    agent.mkdir()
    (agent / "settings.json").write_text('{"plugins": {"disabled": ["one"]}}', "utf-8")
    kernel = installed.kernel(env={"PI_DISABLED_PLUGINS": "two, four"})
    kernel.load(disabled=["three"])
    assert kernel.failures == []
    assert {info.name for info in kernel.plugins() if info.state is PluginState.DISABLED} == {
        "one",
        "two",
        "three",
        "four",
    }


def test_loading_some_first_and_the_rest_later_asks_each_hook_once(installed: Installed) -> None:
    installed.add("ant", GOOD.format(name="ant"))
    installed.add("zebra", GOOD.format(name="zebra"))
    kernel = installed.kernel()
    kernel.load(only={"host", "zebra"})
    assert [value.name for value in kernel.all(WORD)] == ["zebra"]
    kernel.load()
    assert [value.name for value in kernel.all(WORD)] == ["zebra", "ant"]
    assert len(kernel.all(WORD)) == 2


def test_only_what_the_bundle_pins_counts_as_built_in(installed: Installed) -> None:
    installed.add("ant", GOOD.format(name="ant"), distribution="pluggy")
    installed.add("zebra", GOOD.format(name="zebra"))
    kernel = installed.kernel(bundle="pi-kernel")
    kernel.load(only={"host"})
    kernel.load(builtin_only=True)
    assert [(info.name, info.state) for info in kernel.plugins() if info.builtin] == [("ant", PluginState.LOADED)]
    assert [value.name for value in kernel.all(WORD)] == ["ant"]


def test_a_disabled_plugin_goes_with_everything_it_gave(installed: Installed) -> None:
    installed.add("ant", GOOD.format(name="ant"))
    installed.add("zebra", GOOD.format(name="zebra"))
    kernel = installed.kernel()
    kernel.load()
    kernel.all(WORD)
    kernel.disable(["ant"])
    assert [value.name for value in kernel.all(WORD)] == ["zebra"]
    assert [value.plugin for value in kernel.all(NOTE)] == ["zebra"]
    kernel.load()
    assert [value.name for value in kernel.all(WORD)] == ["zebra"]


def test_two_distributions_with_a_plugin_of_one_name_are_told_apart(installed: Installed) -> None:
    installed.add("ant", GOOD.format(name="ant"))
    installed.sources.append(PluginSource("ant", "elsewhere", "pi-ant-fork", "2.0", "", ""))
    kernel = installed.kernel()
    kernel.load()
    assert failures(kernel) == [("ant", "scan", "SameName")]
    assert "pi-ant-fork" in str(kernel.failures[0])


def test_a_plugin_may_be_a_class_or_an_attribute(installed: Installed) -> None:
    code = """
        from pi_kernel import hookimpl
        class Plugin:
            @hookimpl
            def pi_words(self, register):
                register("from a class")
    """
    installed.add("klass", code)
    source = installed.sources.pop()
    installed.sources.append(PluginSource("klass", f"{source.target}:Plugin", "pi-klass", "1.0", "", ""))
    kernel = installed.kernel()
    kernel.load()
    assert [value.name for value in kernel.all(WORD)] == ["from a class"]


@pytest.mark.parametrize(
    ("specifier", "version", "fits"),
    [
        ("", "0.1.0", True),
        (">=0.1,<0.2", "0.1.0", True),
        (">=0.1,<0.2", "0.1.9", True),
        (">=0.1,<0.2", "0.2.0", False),
        (">=0.2", "0.2.0.dev1", False),
        (">=0.1", "0.2.0.dev1", True),
        ("not a range", "0.1.0", False),
    ],
)
def test_the_range_a_plugin_asks_of_the_kernel(specifier: str, version: str, fits: bool) -> None:
    if fits:
        check_kernel_range(specifier, version)
    else:
        with pytest.raises(Exception, match="pi-kernel"):
            check_kernel_range(specifier, version)


def test_a_plugin_for_another_kernel_is_not_imported(installed: Installed) -> None:
    installed.add("future", "raise RuntimeError('imported')", requires=">=99")
    kernel = installed.kernel()
    kernel.load()
    assert failures(kernel) == [("future", "version", "IncompatibleKernel")]
    assert ">=99" in str(kernel.failures[0])
    assert __version__ in str(kernel.failures[0])


@pytest.mark.parametrize(
    ("metadata", "specifier"),
    [
        ("Name: x\nRequires-Dist: pi-kernel>=0.1,<0.2\n", ">=0.1,<0.2"),
        ("Name: x\nRequires-Dist: pi_kernel (>=0.1)\n", ">=0.1"),
        ("Requires-Dist: Pi.Kernel >=0.1 ; python_version>'3'\n", ">=0.1"),
        ("Requires-Dist: pi-kernel\n", ""),
        ("Name: x\nRequires-Dist: pi-kernel-extras>=3\n", ""),
        ("Name: x\n\nRequires-Dist: pi-kernel>=9 in the description\n", ""),
        ("", ""),
    ],
)
def test_the_range_is_read_from_metadata(metadata: str, specifier: str) -> None:
    assert kernel_range(metadata) == specifier


def test_the_members_of_a_bundle_are_its_requirements() -> None:
    assert {"pluggy", "packaging", "importlib-metadata"} <= requirements("pi-kernel")
    assert requirements("a-distribution-that-is-not-there") == frozenset()


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(2), KeyboardInterrupt()])
def test_the_warden_passes_results_and_errors_on(error: BaseException) -> None:
    def fail() -> None:
        raise error

    warden = Warden(30)
    assert warden.call(lambda a, b: a + b, 1, 2) == 3
    with pytest.raises(type(error)):
        warden.call(fail)
    assert warden.call(threading.get_ident) != threading.get_ident()
    warden.close()
    assert warden.call(str, 1) == "1"
    warden.close()


def test_the_warden_gives_up_on_a_call_and_serves_the_next() -> None:
    warden, release = Warden(0.2), threading.Event()
    blocked: Callable[[], Any] = release.wait
    with pytest.raises(Hung, match=r"0\.2 s"):
        warden.call(blocked)
    patient = Warden(30)
    assert patient.call(str, 2) == "2"
    release.set()
    patient.close()
