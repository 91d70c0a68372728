"""Every case of `grammar.toml`: its tree, its tier, what it does, and what bash does."""

from pathlib import Path

import pytest

from tests.conformance.cases import Case, parameters
from tests.conformance.machine import Machine, in_bash
from tests.conformance.trees import ENGINE_MISSING, ENGINE_OFF, NO_FLOOR, routed, tree

pytestmark = pytest.mark.windows


@pytest.mark.parametrize("case", parameters("ast", "grammar"))
def test_tree(case: Case) -> None:
    assert tree(case.command) == case.data["ast"]


@pytest.mark.parametrize("case", parameters("route", "grammar"))
def test_route(case: Case) -> None:
    assert routed(case.command).tier == case.data["route"]
    assert routed(case.command, NO_FLOOR).tier == "engine"
    without = {routed(case.command, tiers).tier for tiers in (ENGINE_OFF, ENGINE_MISSING)}
    assert without == {"powershell" if case.data["route"] == "powershell" else None}


@pytest.mark.parametrize("case", parameters("run", "grammar"))
def test_the_engine_does_what_bash_does(case: Case, machine: Machine, box: Path) -> None:
    answer = machine.run(case.command, box)
    assert (answer.tier, answer.refusal) == ("engine", None), answer.stderr
    assert answer.seen == case.ours, answer.stderr
    assert answer.hints == case.hints


@pytest.mark.parametrize("case", parameters("bash", "grammar"))
def test_bash_still_does_what_was_captured(case: Case, bash: str, box: Path) -> None:
    assert in_bash(bash, case.command, box) == case.bash
