"""`write` makes files and replaces those whose content the session knows; nothing else is ever lost."""

import asyncio
import sys
from pathlib import Path

import pytest
from pi_api.tool import ToolError, ToolResult
from pi_files import ReadLedger
from pi_testkit import FakeToolContext
from pi_tool_write.tool import write_tool


@pytest.fixture
def context(tmp_path: Path) -> FakeToolContext:
    return FakeToolContext(tmp_path)


async def write(context: FakeToolContext, path: str, content: str) -> ToolResult:
    return await write_tool().run({"path": path, "content": content}, context)


def know(context: FakeToolContext, path: Path) -> None:
    """Do what `read` does for the ledger."""
    context.state(ReadLedger).record(path.resolve(), path.read_bytes())


async def test_a_new_file_is_made_with_its_folders(context: FakeToolContext) -> None:
    result = await write(context, "a/b/x.txt", "one\ntwo\n")
    assert (context.cwd / "a" / "b" / "x.txt").read_bytes() == b"one\ntwo\n"
    assert result.plain == "Created a/b/x.txt (2 lines, 8 B)."
    assert result.details == {"outcome": "created", "bytes": 8}


async def test_a_file_that_was_not_read_is_not_replaced(context: FakeToolContext) -> None:
    file = context.cwd / "x"
    file.write_bytes(b"precious")
    with pytest.raises(ToolError, match="x exists and you have not read it; read it first, or change a part of it"):
        await write(context, "x", "new")
    assert file.read_bytes() == b"precious"


async def test_a_file_that_changed_since_it_was_read_is_not_replaced(context: FakeToolContext) -> None:
    file = context.cwd / "x"
    file.write_bytes(b"old")
    know(context, file)
    file.write_bytes(b"precious")
    with pytest.raises(ToolError, match="x has changed since you read it; read it again before you write it"):
        await write(context, "x", "new")
    assert file.read_bytes() == b"precious"


async def test_a_file_that_was_read_is_replaced_and_known_afterwards(context: FakeToolContext) -> None:
    file = context.cwd / "x"
    file.write_bytes(b"old")
    know(context, file)
    assert (await write(context, "x", "new")).plain == "Replaced x (1 line, 3 B)."
    assert (await write(context, "x", "newer")).plain == "Replaced x (1 line, 5 B)."
    assert file.read_bytes() == b"newer"


async def test_a_file_that_the_session_made_can_be_replaced(context: FakeToolContext) -> None:
    await write(context, "x", "one")
    await write(context, "x", "two")
    assert (context.cwd / "x").read_bytes() == b"two"


async def test_the_same_content_is_no_change_and_needs_no_reading(context: FakeToolContext) -> None:
    file = context.cwd / "x"
    file.write_bytes(b"same")
    before = file.stat()
    result = await write(context, "x", "same")
    assert result.plain == "x has this content already; nothing was written."
    assert result.details["outcome"] == "unchanged"
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


async def test_an_empty_file_holds_nothing_to_lose(context: FakeToolContext) -> None:
    (context.cwd / "x").write_bytes(b"")
    assert (await write(context, "x", "new")).details["outcome"] == "replaced"


@pytest.mark.parametrize(
    ("before", "content", "after", "words"),
    [
        (b"a\r\nb\r\n", "c\nd\n", b"c\r\nd\r\n", "Kept its CRLF line endings."),
        (b"a\r\nb\n", "c\nd\n", b"c\nd\n", ""),
        (b"a\r\nb\r\n", "c\r\nd\n", b"c\r\nd\n", ""),
        (b"a\nb\n", "c\r\n", b"c\r\n", ""),
        (b"\xef\xbb\xbfa", "b", b"\xef\xbb\xbfb", "Kept its byte order mark."),
        (b"\xef\xbb\xbfa\r\n", "b\n", b"\xef\xbb\xbfb\r\n", "Kept its byte order mark and CRLF line endings."),
    ],
)
async def test_what_reading_hides_is_kept(
    context: FakeToolContext, before: bytes, content: str, after: bytes, words: str
) -> None:
    file = context.cwd / "x"
    file.write_bytes(before)
    know(context, file)
    result = await write(context, "x", content)
    assert file.read_bytes() == after
    assert result.plain.endswith(words)
    assert ("Kept" in result.plain) is bool(words)
    assert (await write(context, "x", content)).details["outcome"] == "unchanged"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows and are not made by Wine")
async def test_a_link_stays_and_what_it_leads_to_is_written(context: FakeToolContext) -> None:
    (context.cwd / "real").write_bytes(b"old")
    (context.cwd / "link").symlink_to("real")
    know(context, context.cwd / "real")
    await write(context, "link", "new")
    assert (context.cwd / "link").is_symlink()
    assert (context.cwd / "real").read_bytes() == b"new"
    (context.cwd / "dangling").symlink_to("later")
    await write(context, "dangling", "made")
    assert (context.cwd / "later").read_bytes() == b"made"


@pytest.mark.skipif(sys.platform != "win32", reason="a case-blind file system")
async def test_other_spellings_are_one_file_on_windows(context: FakeToolContext) -> None:
    await write(context, "Name.txt", "one")
    await write(context, "NAME.TXT", "two")
    assert [(entry.name, entry.read_bytes()) for entry in context.cwd.iterdir()] == [("Name.txt", b"two")]


@pytest.mark.skipif(sys.platform != "win32", reason="devices have names like files on Windows only")
@pytest.mark.parametrize("path", ["nul", "a/con.txt", "COM1", "x?.txt", "x.txt:stream", "ends."])
async def test_names_that_windows_cannot_hold_are_refused(context: FakeToolContext, path: str) -> None:
    with pytest.raises(ToolError, match="cannot write"):
        await write(context, path, "x")
    assert list(context.cwd.iterdir()) == []


async def test_two_writers_of_one_new_file_do_not_lose_anything(context: FakeToolContext) -> None:
    other = FakeToolContext(context.cwd)
    results = await asyncio.gather(
        write(context, "x", "from one"), write(other, "x", "from the other"), return_exceptions=True
    )
    made = [result for result in results if isinstance(result, ToolResult)]
    refused = [result for result in results if isinstance(result, ToolError)]
    assert (len(made), len(refused)) == (1, 1)
    assert "read it first" in str(refused[0])
