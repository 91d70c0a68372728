"""`find` keeps the contract of tools, its manifest registers it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pi_api.tool import Tool, ToolContext
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_find.tool import find_tool


class TestFindContract(ToolContract):
    calls = ({"pattern": "*.py"}, {"pattern": ".", "path": "d", "limit": 1}, {"pattern": "no such name"})
    refusals = ({"pattern": "*", "path": "gone"}, {"pattern": "*", "path": "a.py"}, {"pattern": "[a"})
    invalid = ({}, {"pattern": ""}, {"pattern": "x", "limit": 0}, {"pattern": "x", "more": 1})

    @pytest.fixture
    def tool(self) -> Tool:
        return find_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        (tmp_path / "d" / "e").mkdir(parents=True)
        (tmp_path / "a.py").touch()
        (tmp_path / "d" / "b.py").touch()
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_find.plugin").tool("find").snippet
