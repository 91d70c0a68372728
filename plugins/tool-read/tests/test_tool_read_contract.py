"""`read` keeps the contract of tools, and its manifest registers it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pi_api.tool import Tool, ToolContext
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_read.tool import read_tool


class TestReadContract(ToolContract):
    calls = ({"path": "text"}, {"path": "@text", "offset": 2, "limit": 1}, {"path": "latin"}, {"path": "picture.png"})
    refusals = (
        {"path": "gone"},
        {"path": "."},
        {"path": ""},
        {"path": "a\0b"},
        {"path": "binary"},
        {"path": "text", "offset": 9},
        {"path": "text/below"},
        {"path": "broken.png"},
    )
    invalid = ({}, {"path": 1}, {"path": "x", "offset": 0}, {"path": "x", "limit": 0}, {"path": "x", "more": 1})

    @pytest.fixture
    def tool(self) -> Tool:
        return read_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        (tmp_path / "text").write_bytes(b"one\ntwo\n")
        (tmp_path / "latin").write_bytes(b"caf\xe9")
        (tmp_path / "binary").write_bytes(b"\0\1\2")
        header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
        (tmp_path / "picture.png").write_bytes(header + b"\0\0\0\1\0\0\0\1")
        (tmp_path / "broken.png").write_bytes(header)
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_read.plugin").tool("read").snippet


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have names in the file system on POSIX only")
async def test_what_may_never_end_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Exception, match="may never end"):
        await read_tool().run({"path": "pipe"}, FakeToolContext(tmp_path))
