"""`write` keeps the contract of tools, and its manifest registers it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pi_api.tool import Tool, ToolContext
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_write.tool import write_tool


class TestWriteContract(ToolContract):
    calls = ({"path": "new", "content": ""}, {"path": "a/b/c", "content": "x\n"}, {"path": "same", "content": "same"})
    refusals = (
        {"path": "there", "content": "x"},
        {"path": "folder", "content": "x"},
        {"path": "there/below", "content": "x"},
        {"path": "", "content": "x"},
        {"path": "new", "content": "half \ud83d"},
    )
    invalid = ({}, {"path": "x"}, {"content": "x"}, {"path": "x", "content": 1}, {"path": "x", "content": "", "m": 1})

    @pytest.fixture
    def tool(self) -> Tool:
        return write_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        (tmp_path / "there").write_bytes(b"unread")
        (tmp_path / "same").write_bytes(b"same")
        (tmp_path / "folder").mkdir()
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_write.plugin").tool("write").snippet
