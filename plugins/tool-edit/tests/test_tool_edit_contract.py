"""`edit` keeps the contract of tools, its manifest registers it, and older shapes of its arguments are understood."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pi_api.tool import Tool, ToolContext
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_edit.tool import edit_tool, prepare


def edits(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"oldText": old, "newText": new} for old, new in pairs]


class TestEditContract(ToolContract):
    calls = (
        {"path": "text", "edits": edits(("one", "1"), ("two", "2"))},
        {"path": "@text", "oldText": "one", "newText": ""},
        {"path": "text", "edits": '[{"oldText": "one", "newText": "1"}]'},
    )
    refusals = (
        {"path": "gone", "edits": edits(("a", "b"))},
        {"path": "folder", "edits": edits(("a", "b"))},
        {"path": "text", "edits": edits(("nowhere", "b"))},
        {"path": "text", "edits": edits(("o", "b"))},
        {"path": "text", "edits": edits(("one", "one"))},
        {"path": "text", "edits": edits(("one\nt", "x"), ("two", "y"))},
        {"path": "latin", "edits": edits(("caf", "b"))},
        {"path": "binary", "edits": edits(("a", "b"))},
    )
    invalid = (
        {"path": "text"},
        {"path": "text", "edits": []},
        {"path": "text", "edits": edits(("", "x"))},
        {"path": "text", "edits": [{"oldText": "x"}]},
        {"path": "text", "edits": [{"oldText": "x", "newText": "y", "all": True}]},
        {"path": "text", "edits": "no JSON"},
    )

    @pytest.fixture
    def tool(self) -> Tool:
        return edit_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        (tmp_path / "text").write_bytes(b"one\ntwo\n")
        (tmp_path / "latin").write_bytes(b"caf\xe9")
        (tmp_path / "binary").write_bytes(b"a\0")
        (tmp_path / "folder").mkdir()
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_edit.plugin").tool("edit").snippet


ONE, TWO = edits(("a", "b"), ("c", "d"))


@pytest.mark.parametrize(
    ("given", "prepared"),
    [
        ({"path": "x", "edits": [ONE]}, {"path": "x", "edits": [ONE]}),
        ({"path": "x", **ONE}, {"path": "x", "edits": [ONE]}),
        ({"path": "x", "edits": [ONE], **TWO}, {"path": "x", "edits": [ONE, TWO]}),
        ({"path": "x", "edits": ONE}, {"path": "x", "edits": [ONE]}),
        ({"path": "x", "edits": '[{"oldText": "a", "newText": "b"}]'}, {"path": "x", "edits": [ONE]}),
        ({"path": "x", "edits": "no JSON"}, {"path": "x", "edits": "no JSON"}),
        ({"path": "x", "oldText": "a"}, {"path": "x", "oldText": "a"}),
        ({"path": "x"}, {"path": "x"}),
    ],
)
def test_older_shapes_are_folded_into_edits(given: dict[str, Any], prepared: dict[str, Any]) -> None:
    before = dict(given)
    assert prepare(given) == prepared
    assert given == before
