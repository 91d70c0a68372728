"""Comments and trailing commas are read over; everything else is JSON, and positions stay true."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_kernel import jsonc

READ: list[tuple[str, Any]] = [
    ('{"a": 1}', {"a": 1}),
    ('// first\n{"a": 1} // last', {"a": 1}),
    ('{"a": /* inline */ 1}', {"a": 1}),
    ('{"a": "// not a comment", "b": "/* nor */ this"}', {"a": "// not a comment", "b": "/* nor */ this"}),
    ('{"a": "quote \\" // still text"}', {"a": 'quote " // still text'}),
    ('{"a": [1, 2, /* none */ ],\r\n}', {"a": [1, 2]}),
    ('{"a": ",]"}', {"a": ",]"}),
    ("[]", []),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_comments_and_trailing_commas_are_read_over(text: str, value: Any) -> None:
    assert jsonc.loads(text) == value


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  // note\n  "a": oops\n}', 3, 8),
        ('{"a": 1 "b": 2}', 1, 9),
        ("/* never closed", 1, 1),
        ("[" * 100_000, 1, 1),
    ],
)
def test_an_error_stands_where_it_is_in_the_text(text: str, line: int, column: int) -> None:
    with pytest.raises(json.JSONDecodeError) as raised:
        jsonc.loads(text)
    assert (raised.value.lineno, raised.value.colno) == (line, column)


@given(
    st.recursive(
        st.none() | st.text() | st.integers() | st.booleans(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_plain_json_is_untouched(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert jsonc.plain(text) == text
