"""Which names Windows cannot hold, told anywhere; and what it really does with them, told on Windows."""

import os
import sys
import tomllib
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest
from pi_files.windows_paths import device_name, extended, from_unix_spelling, unwritable

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("files_windows_names.toml").read_text("utf-8"))


@pytest.mark.parametrize(("path", "because"), TABLE["refused"])
def test_a_name_is_refused(path: str, because: str) -> None:
    assert because in (unwritable(PureWindowsPath(path)) or "")
    assert (device_name(PureWindowsPath(path)) is not None) is (because == "device")


@pytest.mark.parametrize("path", TABLE["allowed"])
def test_a_name_is_allowed(path: str) -> None:
    assert unwritable(PureWindowsPath(path)) is None
    assert device_name(PureWindowsPath(path)) is None


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("/c/dev/x", "C:/dev/x"),
        ("/C/dev", "C:/dev"),
        ("/c", "C:/"),
        ("/cd/x", "/cd/x"),
        ("c/dev", "c/dev"),
        ("//c/dev", "//c/dev"),
        ("/mnt/c", "C:/"),
        ("/mnt/cd", "/mnt/cd"),
        ("", ""),
    ],
)
def test_unix_spellings_of_drives(given: str, meant: str) -> None:
    assert from_unix_spelling(given) == meant


@pytest.mark.parametrize(
    ("path", "native"),
    [
        ("C:\\x", "C:\\x"),
        ("C:\\" + "x" * 250, "\\\\?\\C:\\" + "x" * 250),
        ("\\\\server\\share\\" + "x" * 250, "\\\\?\\UNC\\server\\share\\" + "x" * 250),
        ("\\\\?\\C:\\" + "x" * 250, "\\\\?\\C:\\" + "x" * 250),
        ("x" * 300, "x" * 300),
    ],
)
def test_long_paths_get_the_prefix_that_allows_them(path: str, native: str) -> None:
    assert extended(path) == native


def own_names() -> list[Any]:
    """The refused names that need no folder of their own; Wine takes some of them for ordinary ones."""
    made_by_wine = pytest.mark.needs_windows("Wine makes an ordinary file of that name")
    return [
        pytest.param(name, marks=[made_by_wine] if ":" in name or "\u00b9" in name else [])
        for path, _ in TABLE["refused"]
        if "\\" not in (name := path.removeprefix("C:\\dev\\"))
    ]


@pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself, which is not here")
@pytest.mark.parametrize("name", own_names())
def test_windows_makes_no_such_file(name: str, tmp_path: Path) -> None:
    try:
        with open(f"{tmp_path}\\{name}", "w"):
            pass
    except OSError:
        return
    assert name not in os.listdir(tmp_path)
