"""Every refusal: its identifier from everybody who can tell it, a message with a way out, and nothing that ran."""

import re
from pathlib import Path

import pytest
from pi_shell import Refusal, catalogue, parse
from pi_shell_engine.tier import EngineTier

from tests.conformance.cases import Case, cases, parameters, read
from tests.conformance.machine import Machine
from tests.conformance.trees import routed, tree

pytestmark = pytest.mark.windows

ADVICE = re.compile(r"[:,;] .*(?<![-\w])(add|change|compute|drop|join|name|pipe|quote|run|sort|use|write)\b")
"""A part of a message, behind what is refused, that tells the reader to do something."""


def test_the_identifiers_are_those_of_the_contract() -> None:
    assert set(catalogue()) == set(read("forms")["refusals"])


@pytest.mark.parametrize("case", parameters("ast", "refusals"))
def test_tree(case: Case) -> None:
    if case.data["told"] == "parser":
        with pytest.raises(Refusal) as caught:
            parse(case.command, windows_paths=True)
        assert caught.value.id == case.row
        assert caught.value.span is not None
        assert case.command[slice(*caught.value.span)] == case.data["at"]
    else:
        assert tree(case.command) == case.data["ast"]


@pytest.mark.parametrize("case", parameters("route", "refusals"))
def test_route(case: Case) -> None:
    found = routed(case.command)
    expected = (None, case.row) if case.data["told"] == "parser" else (case.data["route"], None)
    assert (found.tier, found.refusal) == expected
    if case.data["told"] == "engine":
        judged = EngineTier().refusal(case.command)
        assert judged is not None
        assert judged[0] == case.row


@pytest.mark.parametrize("case", parameters("run", "refusals"))
def test_nothing_runs(case: Case, machine: Machine, box: Path) -> None:
    command = case.command if case.data["told"] == "run" else f"echo ran > ran\n{case.command}"
    answer = machine.run(command, box, cwd=box / case.data["cwd"] if "cwd" in case.data else None)
    assert answer.refusal == case.row, answer.stderr
    assert answer.seen.status == 2
    assert (answer.seen.stdout, answer.seen.left) == ("", {})


@pytest.mark.parametrize("case", parameters("message", "refusals"))
def test_the_message_names_the_construct_and_says_what_to_do(case: Case, machine: Machine, box: Path) -> None:
    answer = machine.run(case.command, box, cwd=box / case.data["cwd"] if "cwd" in case.data else None)
    head, _, message = answer.stderr.partition(f"{case.row}: ")
    assert head.endswith("pi shell: ")
    assert case.data["names"] in message
    assert case.data["instead"] in message
    assert ADVICE.search(message), message
    assert not re.search(r"\w…(:|$)", message.rstrip()), "the advice is cut off"


def test_every_refusal_has_a_case() -> None:
    assert {case.row for case in cases("refusals")} == set(catalogue())
