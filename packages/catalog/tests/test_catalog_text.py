"""Text for a prompt: what nobody sees is taken out, what is too long is cut and said to be."""

from pathlib import Path

import pytest
from pi_catalog.text import read, visible

HIDDEN = {
    "zero-width space": ("a\u200bb", "ab"),
    "byte-order mark": ("\ufeffa", "a"),
    "right-to-left override": ("a\u202eb\u202c", "ab"),
    "isolates": ("\u2066a\u2069", "a"),
    "tag characters": ("a\U000e0041\U000e0042b", "ab"),
    "variation selectors of the supplement": ("a\U000e0101", "a"),
    "soft hyphen": ("a\u00adb", "ab"),
    "escape sequences": ("\x1b[31mred", "[31mred"),
    "a joiner between letters": ("a\u200db", "ab"),
    "a run of joiners": ("\u0645\u200c\u200d\u200c\u0646", "\u0645\u0646"),
    "line ends": ("a\r\nb\rc", "a\nb\nc"),
}
KEPT = [
    "tab\tstays\n",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f468\u200d\U0001f4bb",
    "\u2764\ufe0f",
    "naïve — “quotes” 你好",
]


@pytest.mark.parametrize(("text", "expected"), HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_is_taken_out(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.mark.parametrize("text", KEPT)
def test_what_belongs_to_a_script_or_an_emoji_stays(text: str) -> None:
    assert visible(text) == text


def test_a_long_file_is_cut_after_a_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"one\ntwo\nthree\n")
    found = read(path, 10)
    assert found.text.startswith("one\ntwo\n[cut here: only the first 8 bytes are shown; read ")
    assert "longer than 10 bytes" in found.problem
    assert read(path, 14).text == "one\ntwo\nthree"


def test_one_endless_line_is_cut_too_and_never_within_a_character(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes("é".encode() * 20)
    assert read(path, 11).text.splitlines()[0] == "é" * 5


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    found = read(tmp_path / "absent", 10)
    assert found.text == "" and "absent cannot be read" in found.problem
