"""Front matter is YAML; lines of `key: words` are read without a YAML parser, and to the same effect."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pi_catalog.frontmatter import BadFrontMatter, front_matter, simple

READ: list[tuple[str, str, dict[str, Any]]] = [
    ("none", "# Title\n", {}),
    ("empty", "---\n---\n", {}),
    (
        "plain",
        "---\nname: a-b\ndescription: Does it. Use when asked.\n---\n# T",
        {"name": "a-b", "description": "Does it. Use when asked."},
    ),
    ("quoted", "---\nname: \"a: b\"\nother: 'c # d'\n---\n", {"name": "a: b", "other": "c # d"}),
    ("folded", "---\ndescription: >-\n  one\n  two\n---\n", {"description": "one two"}),
    ("switch", "---\ndisable-model-invocation: true\n---\n", {"disable-model-invocation": True}),
    ("nested", "---\nmetadata:\n  author: me\n---\n", {"metadata": {"author": "me"}}),
    ("CRLF and a mark", "\ufeff---\r\nname: x\r\n---\r\ntext", {"name": "x"}),
    ("only comments", "---\n# nothing\n---\n", {}),
]


@pytest.mark.parametrize(("case", "text", "expected"), READ, ids=[case[0] for case in READ])
def test_reading(case: str, text: str, expected: dict[str, Any]) -> None:
    assert front_matter(text) == expected


BAD = [
    ("---\nname: x\n", "no end"),
    ("---\nname: [x\n---\n", "is not YAML"),
    ("---\n- a\n---\n", "not a mapping"),
    ("---\na: !!python/object:os.system x\n---\n", "is not YAML"),
]


@pytest.mark.parametrize(("text", "reason"), BAD)
def test_what_cannot_be_read_is_named(text: str, reason: str) -> None:
    with pytest.raises(BadFrontMatter, match=reason):
        front_matter(text)


WORDS = st.text(st.sampled_from("aZ9 :#-'\"\\[]{}>|&*!%@,?~.é\t=/("), max_size=12) | st.sampled_from(
    ["yes", "No", "null", "~", "1.5", "0x1F", "2024-01-01", "1:30", "on", "true", "False", "a: b", "a #b", "=", "<<"]
)
LINE = st.builds(lambda key, value: f"{key}: {value}", st.sampled_from(["name", "a-b", "yes", "X_1"]), WORDS)


@given(st.lists(LINE, max_size=3))
def test_what_is_read_without_yaml_is_what_yaml_reads(lines: list[str]) -> None:
    quick = simple(lines)
    if quick is not None:
        assert quick == (yaml.safe_load("\n".join(lines)) or {})
