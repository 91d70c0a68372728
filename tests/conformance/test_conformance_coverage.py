"""No form of the contract is without a case, and no case is of a form that the contract does not have."""

from collections import Counter

import pytest

from tests.conformance.cases import TABLES, cases, read
from tests.conformance.coverage import Covered, coverage, main

pytestmark = pytest.mark.windows


@pytest.mark.parametrize("one", list(coverage()), ids=lambda one: f"{one.table} {one.row} {one.form}")
def test_a_form_has_a_case(one: Covered) -> None:
    assert one.count


def test_a_case_is_of_a_form() -> None:
    forms = read("forms")
    assert [str(case) for case in cases(*TABLES) if case.form not in forms[case.table].get(case.row, ())] == []


def test_a_case_stands_once() -> None:
    counted = Counter((case.table, str(case)) for case in cases(*TABLES))
    assert [case for case, count in counted.items() if count > 1] == []


def test_the_table_names_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1 + sum(len(forms) for table in read("forms").values() for forms in table.values())
    assert printed[-1].endswith("0 forms without a case")
