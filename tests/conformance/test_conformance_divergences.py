"""Every divergence is true in both directions: bash does the one, we do the other and say so."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.cases import Case, Seen, cases, parameters
from tests.conformance.machine import Machine, in_bash
from tests.conformance.trees import routed, tree

pytestmark = pytest.mark.windows


def comparable(case: Case, seen: Seen) -> Seen:
    """What there is to compare: `unordered` output by its lines, for bash has no order of its own there."""
    lines = sorted(seen.stdout.splitlines(keepends=True))
    return replace(seen, stdout="".join(lines)) if case.data.get("unordered") else seen


@pytest.mark.parametrize("case", parameters("ast", "divergences"))
def test_tree(case: Case) -> None:
    assert tree(case.command) == case.data["ast"]


@pytest.mark.parametrize("case", parameters("route", "divergences"))
def test_route(case: Case) -> None:
    assert routed(case.command).tier == case.data["route"]


@pytest.mark.parametrize("case", parameters("run", "divergences"))
def test_we_do_what_is_listed(case: Case, machine: Machine, box: Path) -> None:
    answer = machine.run(case.command, box)
    assert (answer.seen, answer.refusal) == (case.ours, case.data.get("refusal")), answer.stderr
    assert answer.hints == case.hints


@pytest.mark.parametrize("case", parameters("bash", "divergences"))
def test_bash_does_what_is_listed(case: Case, bash: str, box: Path) -> None:
    assert comparable(case, in_bash(bash, case.command, box)) == comparable(case, case.bash)


@pytest.mark.parametrize("case", parameters("listed", "divergences"))
def test_a_row_differs_or_says_that_it_does_not(case: Case) -> None:
    if "bash" in case.data:
        assert case.data["why"]
        assert case.bash != case.ours
    else:
        assert "why" not in case.data


@pytest.mark.parametrize("case", parameters("told", "divergences"))
def test_a_changed_answer_is_announced(case: Case) -> None:
    changed = (comparable(case, case.bash).stdout, case.bash.status) != (
        comparable(case, case.ours).stdout,
        case.ours.status,
    )
    assert not changed or case.hints or case.ours.complains


@pytest.mark.parametrize("case", [c for c in cases("divergences") if c.hints and "refusal" not in c.data], ids=str)
def test_a_hint_is_silenced_with_the_errors(case: Case, machine: Machine, box: Path) -> None:
    answer = machine.run(f"{{ {case.command}\n}} 2> /dev/null", box)
    assert (answer.seen.stdout, answer.seen.status) == (case.ours.stdout, case.ours.status)
    assert answer.stderr == ""
