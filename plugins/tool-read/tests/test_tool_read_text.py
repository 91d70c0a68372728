"""What `read` shows of a text: which lines, how many, and what it says of the rest."""

import codecs
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pi_api.tool import ToolError
from pi_files import ReadLedger
from pi_testkit import FakeToolContext
from pi_tool_read import reading
from pi_tool_read.tool import read_tool

LINES = "\n".join(f"line {number}" for number in range(1, 3001)) + "\n"


async def read(folder: Path, content: bytes | str, **params: Any) -> str:
    (folder / "f").write_bytes(content.encode() if isinstance(content, str) else content)
    return (await read_tool().run({"path": "f", **params}, FakeToolContext(folder))).plain


@pytest.mark.parametrize(
    ("content", "params", "shown"),
    [
        ("one\ntwo\n", {}, "one\ntwo"),
        ("one\ntwo", {}, "one\ntwo"),
        ("one\n\n", {}, "one\n"),
        ("", {}, "[The file is empty.]"),
        ("\n", {}, ""),
        ("one\ntwo\nthree\n", {"offset": 2}, "two\nthree"),
        ("one\ntwo\nthree\n", {"limit": 1}, "one\n\n[Lines 1-1 of 3 shown. Go on with offset=2.]"),
        ("one\ntwo\nthree\n", {"offset": 2, "limit": 1}, "two\n\n[Lines 2-2 of 3 shown. Go on with offset=3.]"),
        ("one\ntwo\nthree\n", {"offset": 3, "limit": 5}, "three"),
        ("one\r\ntwo\r\n", {}, "one\ntwo\n\n[The file has CRLF line endings.]"),
        ("one\r\ntwo\n", {}, "one\ntwo\n\n[The file mixes CRLF and LF line endings.]"),
        (codecs.BOM_UTF8 + b"one", {}, "one"),
        (b"caf\xe9", {}, "café\n\n[Not UTF-8; decoded as Windows-1252, which is a guess.]"),
        (codecs.BOM_UTF16_LE + "one\n".encode("utf-16-le"), {}, "one\n\n[Decoded from UTF-16-LE.]"),
        ("form\x0cfeed\x1e\u2028one line\n", {}, "form\x0cfeed\x1e\u2028one line"),
    ],
)  # fmt: skip
async def test_a_small_text(tmp_path: Path, content: bytes | str, params: dict[str, int], shown: str) -> None:
    assert await read(tmp_path, content, **params) == shown


async def test_two_thousand_lines_are_shown_and_a_pointer_to_the_rest(tmp_path: Path) -> None:
    text = await read(tmp_path, LINES)
    lines = text.split("\n")
    assert lines[:2001] == [f"line {number}" for number in range(1, 2001)] + [""]
    assert lines[2001:] == ["[Lines 1-2000 of 3000 shown, limit 2000 lines. Go on with offset=2001.]"]
    assert await read(tmp_path, LINES, offset=2001) == "\n".join(f"line {number}" for number in range(2001, 3001))


async def test_fifty_kibibytes_are_shown_and_never_part_of_a_line(tmp_path: Path) -> None:
    text = await read(tmp_path, ("é" * 499 + "\n") * 200)
    shown, _, notice = text.rpartition("\n\n")
    assert shown == "\n".join(["é" * 499] * 51)
    assert notice == "[Lines 1-51 of 200 shown, limit 50 KiB. Go on with offset=52.]"


async def test_a_first_line_beyond_the_limit_is_begun(tmp_path: Path) -> None:
    text = await read(tmp_path, "short\n" + "ü" * 40_000 + "\nlast", offset=2)
    shown, _, notice = text.rpartition("\n\n")
    assert shown == "ü" * 2048
    assert notice == (
        "[Line 2 alone is longer than the limit of 50 KiB. "
        "Only its first 4 KiB are shown; search it with grep, or go on with offset=3.]"
    )


async def test_behind_an_only_line_beyond_the_limit_nothing_is_offered(tmp_path: Path) -> None:
    text = await read(tmp_path, "x" * 60_000 + "\n")
    assert text.endswith("Only its first 4 KiB are shown; search it with grep.]")


@pytest.mark.parametrize(("content", "offset"), [("one\ntwo\n", 3), ("", 2)])
async def test_an_offset_past_the_end_is_an_error(tmp_path: Path, content: str, offset: int) -> None:
    with pytest.raises(
        ToolError, match=rf"offset {offset} is past the end of f, which has {offset - 1 if content else 0} lines"
    ):
        await read(tmp_path, content, offset=offset)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.lists(st.text("aé\r \t", max_size=30), max_size=40).map("\n".join),
    offset=st.integers(1, 40),
    limit=st.none() | st.integers(1, 40),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
async def test_large_files_are_shown_as_small_ones(
    tmp_path: Path, content: str, offset: int, limit: int | None, encoding: str
) -> None:
    data = content.encode(encoding)

    async def outcome() -> str:
        try:
            return await read(tmp_path, data, offset=offset, **({"limit": limit} if limit else {}))
        except ToolError as error:
            return str(error)

    whole = await outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "WHOLE_FILE", -1)
        streamed = await outcome()
    if "The file is empty" not in whole and not whole.startswith("offset 1 "):
        assert streamed == whole.replace(f" of {total(content)} shown", f" of a file of {len(data)} B shown")


def total(content: str) -> int:
    return content.count("\n") + (not content.endswith("\n") and bool(content))


async def test_a_file_of_many_megabytes_is_read_in_pieces(tmp_path: Path) -> None:
    line = b"0123456789" * 10 + b"\n"
    with (tmp_path / "f").open("wb") as file:
        for _ in range(170):
            file.write(line * 1000)
    context = FakeToolContext(tmp_path)
    result = await read_tool().run({"path": "f", "offset": 150_001, "limit": 3}, context)
    shown = (line.decode() * 3).rstrip()
    assert result.plain == f"{shown}\n\n[Lines 150001-150003 of a file of 16.4 MiB shown. Go on with offset=150004.]"
    assert not context.state(ReadLedger).knows(tmp_path / "f")


async def test_what_was_read_is_known_to_the_session(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one\ntwo")
    context = FakeToolContext(tmp_path)
    await read_tool().run({"path": "f", "limit": 1}, context)
    real = (tmp_path / "f").resolve()
    assert context.state(ReadLedger).is_current(real, b"one\ntwo")
    assert not context.state(ReadLedger).is_current(real, b"one")


async def test_the_record_of_a_cut_is_in_the_details(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(LINES.encode())
    result = await read_tool().run({"path": "f"}, FakeToolContext(tmp_path))
    truncation = result.details["truncation"]
    assert (truncation["truncatedBy"], truncation["outputLines"], truncation["totalLines"]) == ("lines", 2000, 3000)
    (tmp_path / "f").write_bytes(b"short")
    assert (await read_tool().run({"path": "f"}, FakeToolContext(tmp_path))).details is None
