"""The contract as data: `forms.toml` names what the contract lists, four tables hold a case or more for each form.

Keys of a case in every table: `row` and `form` as in `forms.toml`, `command`, `ast` as `pi_shell.sketch` writes it,
`route` (the tier that takes it when all are there), `needs` (a program that has to be on PATH), `missing` (what the
implementation lacks, by the test that fails for it: `ast`, `route`, `run`, `message`, `told`).

`grammar.toml`, `builtins.toml`: `stdout`, `status`, `complains` (something on standard error) and `left` (the files
written, as text; false for one that is gone) are what bash does.
`divergences.toml`: the same under `bash` and `ours`, with `why`. Without `bash` both do the same here, and would not in
another locale or with other software. `unordered`: bash gives the lines in no order; `refusal`: our refusal.
In both, `hint` is the key of the hint that is given, which does not count as a complaint.
`refusals.toml`: `at`, the text refused; `names` and `instead`, parts of the message; `told` by `parser`, by `engine`
before anything runs, or only in a `run`; `cwd`, a folder to run in.
"""

import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
TABLES = ("grammar", "builtins", "refusals", "divergences")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a command did, its folder called BOX; text stands for bytes one to one (Latin-1)."""

    stdout: str
    status: int
    complains: bool = False
    left: Mapping[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a table."""

    table: str
    row: str
    form: str
    command: str
    data: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.row}: {self.form}: {self.command}"

    @property
    def hints(self) -> list[str]:
        """The hints that the command gets."""
        return [self.data["hint"]] if "hint" in self.data else []

    @property
    def bash(self) -> Seen:
        """What bash does."""
        return seen_in(self.data.get("bash") or self.data.get("ours") or self.data)

    @property
    def ours(self) -> Seen:
        """What we do."""
        return seen_in(self.data.get("ours") or self.data)


def seen_in(row: Mapping[str, Any]) -> Seen:
    """What a table says that a command does."""
    return Seen(row["stdout"], row.get("status", 0), row.get("complains", False), row.get("left", {}))


@cache
def read(name: str) -> Mapping[str, Any]:
    """A table beside this module."""
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


def cases(*tables: str) -> Iterator[Case]:
    """The cases of these tables, in their order."""
    for table in tables:
        for row in read(table)["case"]:
            yield Case(table, row["row"], row["form"], row["command"], row)


def parameters(test: str, *tables: str) -> list[Any]:
    """The cases as a test's parameters; those whose `missing` names the test are expected to fail."""
    made = []
    for case in cases(*tables):
        marks: list[pytest.MarkDecorator] = []
        if reason := case.data.get("missing", {}).get(test):
            marks.append(pytest.mark.xfail(strict=True, reason=reason))
        if needs := case.data.get("needs"):
            absent = shutil.which(needs) is None
            marks.append(pytest.mark.skipif(absent, reason=f"the program {needs} is not on PATH"))
        made.append(pytest.param(case, marks=marks, id=str(case)))
    return made


def fill(box: Path) -> None:
    """Make the folder of a case anew."""
    shutil.rmtree(box, ignore_errors=True)
    for name, text in read("files").items():
        (box / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).write_bytes(text.encode())


def seen(box: Path, out: bytes, status: int, *, complains: bool) -> Seen:
    """What a command did in `box`."""
    here = {str(box).encode(), str(box).replace(os.sep, "/").encode()}
    there = {
        path.relative_to(box).as_posix(): "" if path.is_dir() else path.read_bytes().decode("latin-1")
        for path in sorted(box.rglob("*"))
    }
    before = dict(read("files"))
    before |= {parent.as_posix(): "" for name in before for parent in Path(name).parents if parent.as_posix() != "."}
    left: dict[str, str | bool] = {name: text for name, text in there.items() if before.get(name) != text}
    left |= {name: False for name in before if name not in there}
    for name in here:
        out = out.replace(name, b"BOX")
    return Seen(out.decode("latin-1"), status, complains, left)
