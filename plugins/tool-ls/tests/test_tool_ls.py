"""`ls` keeps the contract of tools and lists a directory."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pi_api.tool import Tool, ToolContext, ToolResult
from pi_testkit import FakeToolContext, PluginHost
from pi_testkit.contracts import ToolContract
from pi_tool_ls.tool import ls_tool


class TestLsContract(ToolContract):
    calls = ({}, {"path": "d"}, {"path": "@d", "limit": 1}, {"path": "empty"})
    refusals = ({"path": "gone"}, {"path": "file"}, {"path": "a\0b"}, {"path": "file/below"})
    invalid = ({"path": 1}, {"limit": 0}, {"path": "d", "more": True})

    @pytest.fixture
    def tool(self) -> Tool:
        return ls_tool()

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        for name in ("d/x", "d/y", "empty"):
            (tmp_path / name).mkdir(parents=True)
        (tmp_path / "file").touch()
        return FakeToolContext(tmp_path)


def test_the_manifest_registers_it(plugin_host: Callable[..., PluginHost]) -> None:
    assert plugin_host("pi_tool_ls.plugin").tool("ls").snippet


async def ls(folder: Path, **params: object) -> ToolResult:
    return await ls_tool().run(dict(params), FakeToolContext(folder))


async def test_names_are_sorted_without_regard_to_case_and_directories_marked(tmp_path: Path) -> None:
    for name in ("b", ".hidden", "A", "c.txt", "Über", "z"):
        (tmp_path / name).touch()
    for name in ("Bin", ".git", "a.d"):
        (tmp_path / name).mkdir()
    result = await ls(tmp_path)
    assert result.plain.split("\n") == [".git/", ".hidden", "A", "a.d/", "b", "Bin/", "c.txt", "z", "Über"]
    assert result.details == {"entries": 9, "shown": 9}


async def test_an_empty_directory_says_so(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    assert (await ls(tmp_path, path="d")).plain == "d is empty."


@pytest.mark.parametrize(("limit", "shown"), [(None, 500), (3, 3), (2500, 2500)])
async def test_the_limit_says_how_many_there_are(tmp_path: Path, limit: int | None, shown: int) -> None:
    for number in range(2600):
        (tmp_path / f"{number:04}").touch()
    text = (await ls(tmp_path, **({"limit": limit} if limit else {}))).plain
    names, _, notice = text.partition("\n\n")
    assert names.split("\n") == [f"{number:04}" for number in range(shown)]
    assert notice == f"[{shown} of 2600 entries shown; raise limit, or use find with a glob.]"


async def test_fifty_kibibytes_are_shown(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}{'x' * 197}").touch()
    text = (await ls(tmp_path)).plain
    assert text.endswith("\n\n[254 of 300 entries shown; use find with a glob to pick some.]")


@pytest.mark.skipif(sys.platform == "win32", reason="links and such names exist on POSIX only")
async def test_links_and_odd_names_are_shown(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "to-d").symlink_to("d")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "bad\udcff\n").touch()
    assert (await ls(tmp_path)).plain.split("\n") == ["bad\\xff\\n", "d/", "gone", "to-d/"]
    (tmp_path / "d" / "x").touch()
    assert (await ls(tmp_path, path="to-d")).plain == "x"
