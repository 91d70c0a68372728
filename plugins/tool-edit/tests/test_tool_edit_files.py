"""What `edit` makes of files, case by case."""

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_api.tool import ToolError, ToolResult
from pi_files import Files, LocalFiles, ReadLedger
from pi_testkit import FakeToolContext
from pi_tool_edit.tool import edit_tool

CASES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("edit_cases.toml").read_text("utf-8"))["case"]


async def edit(context: FakeToolContext, *pairs: tuple[str, str] | list[str], path: str = "f") -> ToolResult:
    edits = [{"oldText": old, "newText": new} for old, new in pairs]
    return await edit_tool().run({"path": path, "edits": edits}, context)


@pytest.fixture
def context(tmp_path: Path) -> FakeToolContext:
    return FakeToolContext(tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
async def test_a_file(case: dict[str, Any], context: FakeToolContext) -> None:
    file = context.cwd / "f"
    file.write_bytes(case["before"].encode())
    if "after" in case:
        result = await edit(context, *case["edits"])
        assert file.read_bytes().decode() == case["after"]
        assert ("Found only by ignoring" in result.plain) is case.get("fuzzy", False)
        return
    with pytest.raises(ToolError) as raised:
        await edit(context, *case["edits"])
    for words in case["error"]:
        assert words in str(raised.value)
    assert file.read_bytes().decode() == case["before"]


async def test_the_failure_shows_at_most_ten_lines_and_a_thousand_characters(context: FakeToolContext) -> None:
    lines = [f"value {number} = {'x' * 150}" for number in range(300)]
    (context.cwd / "f").write_text("\n".join(lines))
    with pytest.raises(ToolError) as raised:
        await edit(context, (lines[150] + "y", ""))
    shown = [line for line in str(raised.value).split("\n") if re.match(r"\d+: ", line)]
    assert "151: " in str(raised.value)
    assert 1 < len(shown) <= 10
    assert sum(len(line) + 1 for line in shown) <= 1000


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("gone", None, "gone does not exist"),
        ("d", "folder", "cannot edit d: it is not a regular file"),
        ("f", b"caf\xe9", "f is not UTF-8 (byte 3 is 0xe9); convert it first"),
        ("f", b"\xff\xfea\0", "f is not UTF-8"),
        ("f", b"a\0b", "f is binary"),
    ],
)
async def test_what_is_no_utf8_text_is_not_edited(
    context: FakeToolContext, path: str, content: bytes | str | None, words: str
) -> None:
    if content == "folder":
        (context.cwd / path).mkdir()
    elif isinstance(content, bytes):
        (context.cwd / path).write_bytes(content)
    with pytest.raises(ToolError, match=re.escape(words)):
        await edit(context, ("a", "b"), path=path)


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("def area(self, radius):", 3),
        ("  return self.width*self.height", 2),
        ("class Shapes(Base):", 1),
        ("import os", None),
    ],
)
async def test_the_place_shown_is_the_most_similar_one(context: FakeToolContext, wanted: str, line: int | None) -> None:
    lines = ["class Shape(Base):", "    return self.width * self.height", "def area(self):", "    pass"]
    filling = [f"# {number:03}" for number in range(20)]
    (context.cwd / "f").write_text("\n".join([*lines[:1], *filling, *lines[1:2], *filling, *lines[2:], *filling]))
    with pytest.raises(ToolError) as raised:
        await edit(context, (wanted, "x"))
    if line is None:
        assert "Nothing in the file resembles it" in str(raised.value)
    else:
        assert lines[line - 1] in str(raised.value)


async def test_what_a_session_knows_of_a_file_grows_with_its_edits_only_if_it_knew_it(
    context: FakeToolContext,
) -> None:
    ledger = context.state(ReadLedger)
    known, unknown = context.cwd / "known", context.cwd / "unknown"
    for file in (known, unknown):
        file.write_bytes(b"one two")
    ledger.record(known.resolve(), b"one two")
    for file in (known, unknown):
        await edit(context, ("one", "1"), path=file.name)
    assert ledger.is_current(known.resolve(), b"1 two")
    assert not ledger.knows(unknown.resolve())


class Restless(LocalFiles):
    """Another program changes the file `times` times while it is being edited."""

    def __init__(self, changes: list[bytes]) -> None:
        self.changes = changes
        self.reads = 0

    def read(self, path: Any) -> bytes:
        self.reads += 1
        if self.reads > 1 and self.changes:
            Path(path).write_bytes(self.changes.pop(0))
        return super().read(path)


@pytest.mark.parametrize("changes", [[b"one\nTWO\n"], [b"one\nTWO\n", b"one\n2\n"]])
async def test_an_edit_is_made_to_the_file_as_it_is_at_last(context: FakeToolContext, changes: list[bytes]) -> None:
    (context.cwd / "f").write_bytes(b"one\ntwo\n")
    expected = changes[-1].replace(b"one", b"1")
    context.state(Files).operations = Restless(changes)
    await edit(context, ("one", "1"))
    assert (context.cwd / "f").read_bytes() == expected


async def test_a_file_that_never_rests_is_not_edited(context: FakeToolContext) -> None:
    (context.cwd / "f").write_bytes(b"one\n")
    context.state(Files).operations = Restless([b"one\n%d" % number for number in range(9)])
    with pytest.raises(ToolError, match="f keeps changing while it is edited"):
        await edit(context, ("one", "1"))


async def test_a_change_that_takes_the_text_away_is_an_error(context: FakeToolContext) -> None:
    (context.cwd / "f").write_bytes(b"one\n")
    context.state(Files).operations = Restless([b"else\n"])
    with pytest.raises(ToolError, match="was not found"):
        await edit(context, ("one", "1"))
    assert (context.cwd / "f").read_bytes() == b"else\n"


async def test_the_details_show_the_change_to_people_and_programs(context: FakeToolContext) -> None:
    lines = [f"line {number}" for number in range(1, 31)]
    (context.cwd / "f").write_bytes("".join(line + "\r\n" for line in lines).encode())
    result = await edit(context, ("line 8\n", "eight\nand more\n"), ("line 25", "25"))
    assert result.plain == "Edited f: 2 replacements, first changed line 8."
    assert result.details["firstChangedLine"] == 8
    assert result.details["diff"].split("\n") == [
        "    ...",
        *(f"  {number} line {number}" for number in range(4, 8)),
        "- 8 line 8",
        "+ 8 eight",
        "+ 9 and more",
        *(f" {number:>2} line {number}" for number in range(9, 13)),
        "    ...",
        *(f" {number} line {number}" for number in range(21, 25)),
        "-25 line 25",
        "+26 25",
        *(f" {number} line {number}" for number in range(26, 30)),
        "    ...",
    ]
    patch = result.details["patch"].split("\n")
    assert patch[:3] == ["--- a/f", "+++ b/f", "@@ -4,9 +4,10 @@"]
    assert "-line 8\r" in patch and "+eight\r" in patch
    assert "@@ -21,9 +22,9 @@" in patch


async def test_the_details_of_a_huge_change_are_cut(context: FakeToolContext) -> None:
    (context.cwd / "f").write_text("one\n")
    result = await edit(context, ("one", "\n".join(["x" * 100] * 2000)))
    assert sum(len(result.details[key]) for key in ("diff", "patch")) < 34_000
    assert result.details["diff"].endswith("[... more changes left out ...]\n")


async def test_calls_for_one_file_are_made_one_after_the_other(context: FakeToolContext) -> None:
    (context.cwd / "f").write_text("".join(f"<{number}>\n" for number in range(20)))
    await asyncio.gather(*(edit(context, (f"<{number}>", f"[{number}]")) for number in range(20)))
    assert (context.cwd / "f").read_text() == "".join(f"[{number}]\n" for number in range(20))
