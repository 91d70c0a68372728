"""Which case shows which form of the contract: `python -m tests.conformance.coverage` prints the table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.conformance.cases import TABLES, cases, read


@dataclass(frozen=True, slots=True)
class Covered:
    """One form of the contract and how many cases it has; `missing` of them are expected to fail."""

    table: str
    row: str
    form: str
    count: int
    missing: int


def coverage() -> Iterator[Covered]:
    """Every form of `forms.toml`, in its order."""
    made = Counter((case.table, case.row, case.form) for case in cases(*TABLES))
    open_ = Counter((case.table, case.row, case.form) for case in cases(*TABLES) if "missing" in case.data)
    for table in TABLES:
        for row, forms in read("forms")[table].items():
            for form in forms:
                key = (table, row, form)
                yield Covered(*key, made[key], open_[key])


def main() -> int:
    """Print the table; 1 when a form has no case."""
    rows = list(coverage())
    for one in rows:
        note = "no case" if not one.count else f"{one.missing} not met yet" if one.missing else ""
        print(f"{one.table:<12} {one.row:<22} {one.form:<40} {one.count:>3} {note}".rstrip())
    bare = sum(not one.count for one in rows)
    print(f"{len(rows)} forms, {sum(one.count for one in rows)} cases, {bare} forms without a case")
    return 1 if bare else 0


if __name__ == "__main__":
    raise SystemExit(main())
