"""A broken third-party plugin is contained and named, `pi config disable` removes it, and pi works throughout."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.dists import lay_plugin
from tests.installed import is_installed, new_user, run_pi

Pi = Callable[..., CompletedProcess[str]]

LEAVES_A_MARK = "import os, pathlib; pathlib.Path(os.environ['PI_TEST_MARK']).touch()\n"
HOOK = "from pi_kernel import hookimpl\n@hookimpl\n"
LISTENS = (
    HOOK + "def pi_session(session, bus):\n    from pi_api.events import {event}\n    bus.on({event}, {handler})\n"
)
DEADLINE = "3"
"""Seconds for a plugin that never comes back."""


@dataclass(frozen=True)
class Fault:
    """A fault: the module's code, what its distribution requires, and how the failure is told."""

    code: str
    step: str
    reason: str
    requires: tuple[str, ...] = ("pi-kernel>=0.1,<0.2",)
    hangs: bool = False


FAULTS = {
    "raises-on-import": Fault("raise RuntimeError('no luck')", "import", "RuntimeError: no luck"),
    "leaves-on-import": Fault("raise SystemExit(3)", "import", "SystemExit: 3"),
    "is-no-python": Fault("def broken(:\n", "import", "SyntaxError"),
    "lacks-a-module": Fault("import a_module_that_is_not_there", "import", "a_module_that_is_not_there"),
    "wrong-signature": Fault(HOOK + "def pi_tools(register, weather): ...", "register", "weather"),
    "unknown-hook": Fault(HOOK + "def pi_tolls(register): ...", "register", "did you mean 'pi_tools'?"),
    "wrong-kernel": Fault(
        LEAVES_A_MARK, "version", "needs pi-kernel>=9 and this is", requires=("pi-api>=0.1", "pi-kernel>=9")
    ),
    "raises-in-a-hook": Fault(
        HOOK + "def pi_tools(register):\n    raise OSError('no tools')", "pi_tools", "OSError: no tools"
    ),
    "leaves-in-a-hook": Fault(HOOK + "def pi_flags(register):\n    raise SystemExit(4)", "pi_flags", "SystemExit: 4"),
    "hangs-on-import": Fault(
        "import threading; threading.Event().wait()", "import", "did not return within 3 s", hangs=True
    ),
    "hangs-in-setup": Fault(
        HOOK + "def pi_register(registry):\n    while True: pass",
        "pi_register",
        "did not return within 3 s",
        hangs=True,
    ),
}
each_fault = pytest.mark.parametrize("name", FAULTS)
ON_WINDOWS_TOO = {"raises-on-import", "hangs-in-setup"}
marked = [pytest.param(name, marks=pytest.mark.windows if name in ON_WINDOWS_TOO else ()) for name in FAULTS]


@dataclass
class Third:
    """A user with third-party plugins on the import path."""

    site: Path
    mark: Path
    env: dict[str, str]
    pi: Pi

    def add(self, name: str, fault: Fault) -> None:
        lay_plugin(self.site, name, fault.code, requires=fault.requires)
        if fault.hangs:
            self.env["PI_PLUGIN_DEADLINE"] = DEADLINE

    def states(self, *arguments: str) -> dict[str, Any]:
        done = self.pi(["plugins", "--json", *arguments])
        assert done.returncode in (0, 1), done.stderr
        return {plugin["name"]: plugin for plugin in json.loads(done.stdout)["plugins"]}


@pytest.fixture
def third(tmp_path: Path, home: Path, project: Path) -> Third:
    if not is_installed("pi"):
        pytest.skip("the distribution pi is not installed beside these tests")
    (project / "one.py").write_text("x = 1\n", "utf-8")
    site, mark = tmp_path / "site", tmp_path / "mark"
    env = {**new_user(home), "PYTHONPATH": str(site), "PI_TEST_MARK": str(mark)}
    return Third(site, mark, env, partial(run_pi, env=env, cwd=project))


def does_its_job(done: CompletedProcess[str]) -> bool:
    return done.returncode == 0 and "1" in done.stdout


@pytest.mark.parametrize("name", marked)
def test_pi_does_its_job_and_names_the_plugin_the_step_and_the_reason(third: Third, name: str) -> None:
    fault = FAULTS[name]
    third.add(name, fault)
    done = third.pi(["-p", "how many Python files are there"])
    assert does_its_job(done), done.stderr
    (told,) = [line for line in done.stderr.splitlines() if f"plugin '{name}'" in line]
    assert f"failed in {fault.step}: " in told and fault.reason in told
    assert f"`pi config disable {name}`" in told
    assert not third.mark.exists()


@each_fault
def test_config_disable_removes_it(third: Third, name: str) -> None:
    third.add(name, FAULTS[name])
    done = third.pi(["config", "disable", name])
    assert (done.returncode, done.stderr) == (0, "")
    done = third.pi(["-p", "how many Python files are there"])
    assert does_its_job(done) and name not in done.stderr


def test_config_enable_brings_it_back(third: Third) -> None:
    third.add("raises-on-import", FAULTS["raises-on-import"])
    for word, state in (("disable", "disabled"), ("enable", "available")):
        assert third.pi(["config", word, "raises-on-import"]).returncode == 0
        assert third.states()["raises-on-import"]["state"] == state


@each_fault
def test_plugins_shows_the_step_and_the_reason_when_told_to_load_it(third: Third, name: str) -> None:
    fault = FAULTS[name]
    third.add(name, fault)
    found = third.states("--check")
    assert found[name]["state"] == "failed"
    assert found[name]["failure"]["step"] == fault.step and fault.reason in found[name]["failure"]["reason"]
    assert {plugin["state"] for other, plugin in found.items() if other != name} == {"loaded"}


def test_all_faults_together_leave_pi_whole(third: Third) -> None:
    others = {name: fault for name, fault in FAULTS.items() if not fault.hangs}
    for name, fault in others.items():
        third.add(name, fault)
    done = third.pi(["-p", "how many Python files are there"])
    assert does_its_job(done), done.stderr
    assert sum("failed in" in line for line in done.stderr.splitlines()) == len(others)


WITHOUT_LOADING = [["plugins"], ["config", "list"], ["doctor"], ["trust"], ["--version"], ["config", "get"]]


@pytest.mark.parametrize("arguments", WITHOUT_LOADING, ids=" ".join)
def test_commands_that_mend_never_touch_third_party_code(third: Third, arguments: list[str]) -> None:
    third.add("marks", Fault(LEAVES_A_MARK, "", ""))
    done = third.pi(arguments)
    assert done.returncode == 0, done.stderr
    assert not third.mark.exists()


def test_no_plugins_leaves_out_third_parties(third: Third) -> None:
    third.add("marks", Fault(LEAVES_A_MARK, "", ""))
    done = third.pi(["--no-plugins", "-p", "how many Python files are there"])
    assert does_its_job(done), done.stderr
    assert not third.mark.exists()


def test_a_handler_that_raises_is_named_and_the_run_goes_on(third: Third) -> None:
    code = LISTENS.format(event="AgentStart", handler="lambda event: 1 / 0")
    third.add("raises-in-a-handler", Fault(code, "", ""))
    done = third.pi(["-p", "how many Python files are there"])
    assert does_its_job(done), done.stderr
    assert "'raises-in-a-handler' failed on AgentStart: ZeroDivisionError" in done.stderr


def test_a_gate_that_raises_keeps_tools_from_running(third: Third) -> None:
    code = LISTENS.format(event="ToolGate", handler="lambda event: 1 / 0")
    third.add("raises-in-a-gate", Fault(code, "", ""))
    done = third.pi(["--mode", "json", "how many Python files are there"])
    ends = [json.loads(line) for line in done.stdout.splitlines() if '"tool_execution_end"' in line]
    assert ends and all(end["isError"] for end in ends)
    assert "raises-in-a-gate" in json.dumps(ends)


def test_a_plugin_that_prints_does_not_spoil_the_output(third: Third) -> None:
    code = "print('at import')\n" + HOOK + "def pi_tools(register):\n    print('in a hook')"
    third.add("prints", Fault(code, "", ""))
    done = third.pi(["--mode", "json", "how many Python files are there"])
    assert all(json.loads(line) for line in done.stdout.splitlines())
    assert "at import" in done.stderr and "in a hook" in done.stderr
