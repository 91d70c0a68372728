"""Truncation keeps whole lines within its limits, says truthfully what it did, and never breaks a character."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_api.truncate import (
    Truncation,
    first_bytes,
    format_size,
    last_bytes,
    notice,
    size_of,
    split_lines,
    truncate_head,
    truncate_line,
    truncate_middle,
    truncate_tail,
)

TEXTS = st.lists(st.text("aé€😀 \t\r", max_size=12), max_size=12).map("\n".join) | st.text(max_size=60)
LINES, SIZES = st.integers(1, 15), st.integers(1, 80)
Cut = Callable[[str, int, int], Truncation]
CUTS = st.sampled_from([truncate_head, truncate_tail, truncate_middle])


@given(TEXTS, LINES, SIZES, CUTS)
def test_the_record_tells_what_happened(text: str, lines: int, size: int, cut: Cut) -> None:
    result = cut(text, lines, size)
    assert (result.max_lines, result.max_bytes) == (lines, size)
    assert result.total_lines == len(split_lines(text))
    assert result.total_bytes == size_of(text)
    # Cut content ends without a line break of its own, so an empty last line counts there.
    shown = result.content.count("\n") + 1 if result.truncated else len(split_lines(result.content))
    assert result.output_lines in (shown, 0 if not result.content else shown)
    assert result.output_bytes == size_of(result.content)
    assert result.truncated is (result.truncated_by is not None)


@given(TEXTS, LINES, SIZES, CUTS)
def test_what_fits_is_left_alone_and_what_is_cut_fits(text: str, lines: int, size: int, cut: Cut) -> None:
    result = cut(text, lines, size)
    fits = len(split_lines(text)) <= lines and size_of(text.removesuffix("\n")) <= size
    assert result.truncated is not fits
    if fits:
        assert result.content == text
    else:
        assert result.output_lines <= lines
        assert result.output_bytes <= size


@given(TEXTS, LINES, SIZES)
def test_the_head_is_the_longest_run_of_whole_lines_that_fits(text: str, lines: int, size: int) -> None:
    result = truncate_head(text, lines, size)
    if not result.truncated:
        return
    whole = split_lines(text)
    kept = result.output_lines
    assert result.content == "\n".join(whole[:kept])
    one_more = "\n".join(whole[: kept + 1])
    assert kept == lines if result.truncated_by == "lines" else size_of(one_more) > size
    assert result.first_line_exceeds_limit is (kept == 0)


@given(TEXTS, LINES, SIZES)
def test_the_tail_ends_where_the_text_ends(text: str, lines: int, size: int) -> None:
    result = truncate_tail(text, lines, size)
    if not result.truncated:
        return
    assert text.removesuffix("\n").endswith(result.content)
    if result.last_line_partial:
        last = split_lines(text)[-1]
        assert size_of(last) > size
        assert size - result.output_bytes < 4
        assert last.endswith(result.content)
    elif result.content:
        assert result.content == "\n".join(split_lines(text)[-result.output_lines :])


@given(TEXTS, LINES, st.integers(40, 120))
def test_the_middle_names_exactly_what_it_left_out(text: str, lines: int, size: int) -> None:
    result = truncate_middle(text, lines, size)
    kept, whole = result.content.split("\n"), split_lines(text)
    markers = [index for index, line in enumerate(kept) if line.startswith("[... ")]
    if not markers:
        return
    (at,) = markers
    head, tail = kept[:at], kept[at + 1 :]
    assert head and tail
    assert whole[: len(head)] == head and whole[len(whole) - len(tail) :] == tail
    omitted = whole[len(head) : len(whole) - len(tail)]
    assert kept[at] == f"[... {len(omitted)} lines, {format_size(size_of(chr(10).join(omitted)))} left out ...]"


def test_the_middle_keeps_three_quarters_of_the_lines_from_the_beginning() -> None:
    text = "\n".join(str(number) for number in range(1000))
    kept = truncate_middle(text, 101).content.split("\n")
    assert kept[:2] + kept[74:77] + kept[-1:] == ["0", "1", "74", "[... 900 lines, 3.5 KiB left out ...]", "975", "999"]


@pytest.mark.parametrize(
    ("text", "kept", "flags"),
    [
        ("short\n" + "x" * 100, "short", (False, False)),
        ("x" * 100 + "\nshort", "", (False, True)),
    ],
)
def test_a_first_line_beyond_the_limit_leaves_the_head_empty(text: str, kept: str, flags: tuple[bool, bool]) -> None:
    result = truncate_head(text, 10, 20)
    assert (result.content, (result.last_line_partial, result.first_line_exceeds_limit)) == (kept, flags)


@given(st.text("aé€😀"), st.integers(-1, 20))
def test_a_cut_in_bytes_falls_between_characters(text: str, size: int) -> None:
    beginning, end = first_bytes(text, size), last_bytes(text, size)
    assert text.startswith(beginning) and text.endswith(end)
    for part, next_char in ((beginning, text[len(beginning) :][:1]), (end, text[: len(text) - len(end)][-1:])):
        assert size_of(part) <= max(size, 0)
        assert not next_char or size_of(part) + size_of(next_char) > size


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (truncate_head("a\nb\nc", 2), "[Lines 1-2 of 3 shown, limit 2 lines. Go on.]"),
        (truncate_head("aaaa\nbbbb", 9, 5), "[Lines 1-1 of 2 shown, limit 5 B. Go on.]"),
        (truncate_head("aaaaaaa\nbbbb", 9, 5), "[Line 1 alone is longer than the limit of 5 B. Go on.]"),
        (truncate_tail("b\naaaaaaa", 9, 5), "[Only the last 5 B of line 2 shown, limit 5 B. Go on.]"),
    ],
)
def test_the_notice_says_what_is_shown_and_what_to_do(cut: Truncation, words: str) -> None:
    assert notice(cut, "Go on.") == words


@given(st.text(max_size=40), st.integers(1, 20), st.integers(0, 40))
def test_a_clipped_line_keeps_its_focus(line: str, limit: int, focus: int) -> None:
    focus = min(focus, max(len(line) - 1, 0))
    clipped = truncate_line(line, limit, focus)
    assert len(clipped) <= limit + 2
    if len(line) > limit:
        assert line[focus] in clipped
        assert clipped.strip("…") in line or "…" in line


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (51_200, "50 KiB"), (1_572_864, "1.5 MiB")]
)
def test_sizes_are_written_for_people(size: int, words: str) -> None:
    assert format_size(size) == words


def test_the_details_leave_the_content_out() -> None:
    details = truncate_head("a\nb", 1).details
    assert "content" not in details
    assert details["truncatedBy"] == "lines"
