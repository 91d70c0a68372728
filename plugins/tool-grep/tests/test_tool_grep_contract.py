"""`grep` keeps the contract of tools, its manifest registers it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pi_api.tool import Tool, ToolContext
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_grep.tool import grep_tool


class TestGrepContract(ToolContract):
    calls = (
        {"pattern": "one"},
        {"pattern": "ONE", "path": "d/text", "ignoreCase": True, "context": 1, "limit": 1},
        {"pattern": "o(", "literal": True, "glob": "*.txt"},
        {"pattern": "no such thing"},
    )
    refusals = (
        {"pattern": "("},
        {"pattern": "one\ntwo"},
        {"pattern": "one\\ntwo"},
        {"pattern": "one", "path": "gone"},
        {"pattern": "one", "glob": "[a"},
    )
    invalid = (
        {},
        {"pattern": ""},
        {"pattern": "x", "limit": 0},
        {"pattern": "x", "context": -1},
        {"pattern": "x", "m": 1},
    )

    @pytest.fixture
    def tool(self) -> Tool:
        return grep_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        (tmp_path / "d").mkdir()
        (tmp_path / "d" / "text").write_bytes(b"one\ntwo\none\n")
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_grep.plugin").tool("grep").snippet
