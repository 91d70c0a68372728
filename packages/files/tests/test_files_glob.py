"""Globs of paths."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_files.glob import BadGlob, path_matcher

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("files_globs.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        (case["glob"], path, expected)
        for case in TABLE["case"]
        for expected, key in ((True, "yes"), (False, "no"))
        for path in case.get(key, ())
    ],
)
def test_a_glob_matches(glob: str, path: str, expected: bool) -> None:
    assert path_matcher(glob)(path) is expected


@pytest.mark.parametrize(("glob", "because"), TABLE["malformed"])
def test_a_malformed_glob_says_what_is_wrong(glob: str, because: str) -> None:
    with pytest.raises(BadGlob) as raised:
        path_matcher(glob)
    assert because in str(raised.value)
