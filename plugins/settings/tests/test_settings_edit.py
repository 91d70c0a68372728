"""Changing one value in a settings file changes that value's text and nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_api import UsageError
from pi_kernel import jsonc
from pi_settings.edit import with_value, without_value
from pi_settings.layers import lookup, merged, nested, without

COMMENTED = """\
// my settings
{
  "theme": "dark", // easy on the eyes
  "retry": {
    "maxRetries": 3
    /* no more */
  }
}
"""

SET: list[tuple[str, str, tuple[str, ...], Any, str]] = [
    ("an empty file", "", ("a",), 1, '{\n  "a": 1\n}\n'),
    ("an empty object", "{}", ("a", "b"), 1, '{\n  "a": {\n    "b": 1\n  }\n}'),
    ("a file of comments only", "// mine\n", ("a",), 1, '// mine\n{\n  "a": 1\n}\n'),
    ("a value in place", '{"a": 1, "b": 2}', ("a",), "x", '{"a": "x", "b": 2}'),
    ("a new key on one line", '{"a": 1}', ("b",), [1, 2], '{"a": 1, "b": [1, 2]}'),
    ("the last of a repeated key", '{"a": 1, "a": 2}', ("a",), 3, '{"a": 1, "a": 3}'),
    (
        "tabs and CRLF",
        '{\r\n\t"a": 1\r\n}\r\n',
        ("b",),
        {"c": 2},
        '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
    ),
    ("a trailing comma", '{\n  "a": 1,\n}\n', ("b",), 2, '{\n  "a": 1,\n  "b": 2\n}\n'),
    ("an object that holds a comment", "{\n  // none yet\n}\n", ("a",), 1, '{\n  // none yet\n  "a": 1\n}\n'),
    ("letters of all the world", '{"a": 1}', ("b",), "grüße", '{"a": 1, "b": "grüße"}'),
    (
        "comments around",
        COMMENTED,
        ("retry", "enabled"),
        False,
        COMMENTED.replace("3\n    /* no more */", '3,\n    /* no more */\n    "enabled": false'),
    ),
    ("a comment behind", COMMENTED, ("theme",), "light", COMMENTED.replace('"dark"', '"light"')),
]

UNSET: list[tuple[str, str, tuple[str, ...], str]] = [
    ("the first on a line", '{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
    ("the last on a line", '{"a": 1, "b": 2}', ("b",), '{"a": 1}'),
    ("the only one", '{"a": 1}', ("a",), "{}"),
    ("every repetition of a key", '{"a": 1, "b": 2, "a": 3}', ("a",), '{"b": 2}'),
    ("a line of its own", '{\n  "a": 1,\n  "b": 2\n}\n', ("a",), '{\n  "b": 2\n}\n'),
    ("the last line of an object", '{\n  "a": 1,\n  "b": 2\n}\n', ("b",), '{\n  "a": 1\n}\n'),
    ("several lines", '{\n  "a": {\n    "x": 1\n  },\n  "b": 2\n}\n', ("a",), '{\n  "b": 2\n}\n'),
    ("a comment stays", COMMENTED, ("theme",), COMMENTED.replace('"theme": "dark", // easy', "// easy")),
    ("inside an object", '{"a": {"b": 1, "c": 2}}', ("a", "b"), '{"a": {"c": 2}}'),
]


@pytest.mark.parametrize(("case", "text", "keys", "value", "expected"), SET, ids=[case[0] for case in SET])
def test_setting(case: str, text: str, keys: tuple[str, ...], value: Any, expected: str) -> None:
    assert with_value(text, keys, value) == expected


@pytest.mark.parametrize(("case", "text", "keys", "expected"), UNSET, ids=[case[0] for case in UNSET])
def test_removing(case: str, text: str, keys: tuple[str, ...], expected: str) -> None:
    assert without_value(text, keys) == expected


def test_a_value_in_the_way_of_a_path_is_not_overwritten() -> None:
    with pytest.raises(UsageError, match=r"retry is 5, not an object; unset it first"):
        with_value('{"retry": 5}', ("retry", "maxRetries"), 3)


KEY = st.text(st.sampled_from('ab"/*,}{ \\é'), max_size=3)
SCALAR = st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('x"/*,}] \n'), max_size=5)
TREE = st.dictionaries(
    KEY,
    st.recursive(
        SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3), max_leaves=8
    ),
    max_size=4,
)
LAYOUT = st.sampled_from([None, 2, 4, "\t"])
COMMENT = st.sampled_from(["", " // why, {\n", " /* [, */ "])


def written(tree: Any, indent: Any, comment: str) -> str:
    """A file of the tree with a comment after every comma and brace that stands outside strings."""
    text = json.dumps(tree, ensure_ascii=False, indent=indent)
    pieces: list[str] = []
    inside = escaped = False
    for character in text:
        pieces.append(character)
        if inside:
            inside, escaped = escaped or character != '"', not escaped and character == "\\"
        elif character == '"':
            inside = True
        elif character in "{,":
            pieces.append(comment)
    return "".join(pieces)


@given(tree=TREE, keys=st.lists(KEY, min_size=1, max_size=3).map(tuple), value=SCALAR, indent=LAYOUT, comment=COMMENT)
def test_any_edit_reads_back_as_the_edited_tree_and_keeps_every_comment(
    tree: dict[str, Any], keys: tuple[str, ...], value: Any, indent: Any, comment: str
) -> None:
    text = written(tree, indent, comment)
    assert jsonc.loads(text) == tree
    try:
        after = with_value(text, keys, value)
    except UsageError:
        return
    expected = merged([without(tree, keys), nested(keys, value)])
    assert jsonc.loads(after) == expected
    removed = without_value(after, keys)
    assert jsonc.loads(removed) == without(expected, keys)
    if comment and not isinstance(lookup(tree, keys), dict | list):
        assert after.count(comment.strip()) >= text.count(comment.strip())
        assert removed.count(comment.strip()) >= text.count(comment.strip())
