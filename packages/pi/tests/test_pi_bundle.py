"""The default bundle: every pinned plugin loads, and `pi` is the kernel's command line under this bundle's name."""

import subprocess
import sys
from importlib.metadata import distribution, entry_points, version

import pi_main
import pytest
from packaging.requirements import Requirement
from pi_kernel.kernel import Kernel


def test_every_requirement_is_pinned_to_the_bundles_own_version() -> None:
    pins = [Requirement(line) for line in distribution("pi").requires or [] if "extra" not in line]
    assert {str(pin.specifier) for pin in pins} == {f"=={version('pi')}"}
    assert {version(pin.name) for pin in pins} == {version("pi")}


def test_every_plugin_of_the_bundle_loads() -> None:
    kernel = Kernel(bundle="pi", env={})
    try:
        kernel.load(builtin_only=True)
        assert kernel.failures == []
    finally:
        kernel.close()


def test_the_command_is_that_of_the_kernel() -> None:
    (script,) = entry_points(group="console_scripts", name="pi")
    assert script.load() is pi_main.main


def test_the_version_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["pi", "--version"])
    with pytest.raises(SystemExit) as stopped:
        pi_main.main()
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"pi {version('pi')}\n"


def test_a_wrong_option_ends_with_status_2() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import pi_main; pi_main.main()", "--no-such-option"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "--no-such-option" in done.stderr
