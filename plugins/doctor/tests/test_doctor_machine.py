"""What the machine must have; decisions over an injected view where there is one to inject."""

from pathlib import Path

import pytest
from pi_api import DoctorView, Finding
from pi_doctor.machine import program, python_version, settings_file, writable_folder
from pi_doctor.report import Line, healthy, text


@pytest.mark.parametrize(
    ("version", "ok"),
    [((3, 10, 14), False), ((3, 11, 0), True), ((3, 14, 1), True), ((2, 7, 18), False), ((4, 0, 0), True)],
)
def test_python_must_be_new_enough(version: tuple[int, ...], ok: bool) -> None:
    found = python_version(version, "CPython")
    assert found.ok is ok
    assert ok or found.remedy == "install Python 3.11 or later"


def test_a_folder_is_writable_or_can_be_made(tmp_path: Path) -> None:
    assert writable_folder(tmp_path) == Finding(True, str(tmp_path))
    deep = tmp_path / "a" / "b"
    assert writable_folder(deep) == Finding(True, f"{deep} (not made yet)")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = writable_folder(tmp_path / "file" / "sub")
    assert not found.ok and "cannot be written" in found.detail and str(tmp_path / "file") in found.remedy


SETTINGS = [
    ("", True, ""),
    ('// mine\n{"a": 1,}\n', True, ""),
    ("{\n  oops\n}", False, "line 2, column 3"),
    ("[]", False, "does not hold a JSON object"),
    ("\ufeff{}", True, ""),
]


@pytest.mark.parametrize(("content", "ok", "detail"), SETTINGS)
def test_a_settings_file_must_be_readable(tmp_path: Path, content: str, ok: bool, detail: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content.encode())
    found = settings_file(path)
    assert found.ok is ok and detail in found.detail and bool(found.remedy) is not ok


def test_no_settings_file_is_in_order_and_one_in_utf_16_is_not(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert settings_file(path).ok
    path.write_bytes("{}".encode("utf-16"))
    assert "cannot be read" in settings_file(path).detail


def test_a_program_goes_by_several_names_on_the_path_of_the_view(tmp_path: Path) -> None:
    view = DoctorView({"PATH": "somewhere"}, tmp_path, tmp_path)
    asked: list[tuple[str, str]] = []

    def which(name: str, path: str) -> str | None:
        asked.append((name, path))
        return f"/bin/{name}" if name == "fdfind" else None

    assert program(("fd", "fdfind"), "slow", view, which) == Finding(True, "/bin/fdfind")
    assert program(("rg",), "slow", view, which) == Finding(False, "not found", "slow; install rg to have it")
    assert asked == [("fd", "somewhere"), ("fdfind", "somewhere"), ("rg", "somewhere")]


def test_only_what_is_required_and_missing_makes_it_ill() -> None:
    fine, useful, needed = Finding(True, "d"), Finding(False, "d", "do it"), Finding(False, "gone", "mend it")
    assert healthy([Line("a", "A", fine, required=True), Line("b", "B", useful)])
    assert not healthy([Line("c", "C", needed, required=True)])


def test_each_finding_has_a_line_and_its_remedy_another() -> None:
    lines = [
        Line("a", "Python", Finding(True, "3.11", "unused")),
        Line("b", "rg", Finding(False, "not found", "install it")),
        Line("c", "x", Finding(False, "broken"), required=True),
    ]
    assert text(lines).splitlines() == [
        "ok    Python  3.11",
        "note  rg      not found",
        "              -> install it",
        "FAIL  x       broken",
    ]
