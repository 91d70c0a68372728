"""Output in bounded memory: what is kept, what is counted, what goes to a file, and what happens if that fails."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pi_process import DecodePolicy, OutputAccumulator, Retained

PLAIN = DecodePolicy()


def filled(*chunks: bytes, head: int = 10, tail: int = 10, spill_over: int | None = None) -> OutputAccumulator:
    output = OutputAccumulator(head_chars=head, tail_chars=tail, spill_over=spill_over, policy=PLAIN)
    for chunk in chunks:
        output.append(chunk)
    output.finish()
    return output


@pytest.mark.parametrize(
    ("text", "retained"),
    [
        ("", Retained("", 0, "")),
        ("short", Retained("short", 0, "")),
        ("0123456789", Retained("0123456789", 0, "")),
        ("0123456789abc", Retained("0123456789", 0, "abc")),
        ("0123456789abcdefghij", Retained("0123456789", 0, "abcdefghij")),
        ("0123456789abcdefghijk", Retained("0123456789", 1, "bcdefghijk")),
        ("ä" * 100, Retained("ä" * 10, 80, "ä" * 10)),
    ],
)
def test_head_and_tail_are_kept_and_the_rest_counted(text: str, retained: Retained) -> None:
    assert filled(text.encode()).retained() == retained


def test_joining_names_the_gap_only_if_there_is_one() -> None:
    assert Retained("ab", 0, "cd").joined() == "abcd"
    assert Retained("ab", 7, "cd").joined("[…]") == "ab[…]cd"


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2), ("a\rb", 1)]
)
def test_lines_are_counted_with_the_last_one(text: str, lines: int) -> None:
    output = filled(*(bytes((byte,)) for byte in text.encode()))
    assert (output.total_lines, output.total_bytes, output.total_chars) == (lines, len(text), len(text))


def test_characters_cut_by_chunks_come_out_whole_and_bytes_are_counted_as_bytes() -> None:
    data = "añ漢😀".encode()
    output = OutputAccumulator(policy=PLAIN)
    shown = "".join(output.append(bytes((byte,))) for byte in data) + output.finish()
    assert shown == "añ漢😀"
    assert (output.total_bytes, output.total_chars) == (len(data), 4)


@given(st.lists(st.text(max_size=12), max_size=30), st.integers(0, 20), st.integers(0, 20))
def test_any_text_in_any_chunks_keeps_the_same(texts: list[str], head: int, tail: int) -> None:
    data = [text.encode("utf-8", "surrogatepass") for text in texts]
    whole, chunked = filled(b"".join(data), head=head, tail=tail), filled(*data, head=head, tail=tail)
    assert whole.retained() == chunked.retained()
    kept = whole.retained()
    assert len(kept.head) + kept.omitted + len(kept.tail) == whole.total_chars
    assert (len(kept.head), len(kept.tail)) == (
        min(head, whole.total_chars),
        min(tail, max(0, whole.total_chars - head)),
    )


def test_preview_shows_the_last_lines_while_output_arrives() -> None:
    output = OutputAccumulator(head_chars=20, tail_chars=20, spill_over=None, policy=PLAIN)
    output.append(b"one\ntwo\nthr")
    assert output.preview(2) == "two\nthr"
    output.append(b"ee\nfour\nfive\n")
    assert output.preview(2) == "four\nfive\n"
    assert output.preview(50, max_chars=8) == "ur\nfive\n"
    assert output.preview(50) == "one\ntwo\nthree\nfour\nfive\n"


def test_short_output_writes_no_file(tmp_path: Path) -> None:
    output = OutputAccumulator(spill_over=10, spill_dir=tmp_path, policy=PLAIN)
    output.append(b"0123456789")
    output.finish()
    assert (output.spill_path, output.spill_error, os.listdir(tmp_path)) == (None, None, [])


@settings(max_examples=25)
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=12))
def test_the_file_holds_exactly_the_bytes(chunks: list[bytes]) -> None:
    output = filled(*chunks, spill_over=20)
    data = b"".join(chunks)
    assert (output.spill_path is not None) == (len(data) > 20)
    if output.spill_path is not None:
        assert output.spill_path.read_bytes() == data
        output.spill_path.unlink()


def test_the_file_is_complete_at_any_moment_and_private(tmp_path: Path) -> None:
    output = OutputAccumulator(spill_over=4, spill_dir=tmp_path, policy=PLAIN)
    output.append(b"12345")
    assert output.spill_path is not None
    assert output.spill_path.read_bytes() == b"12345"
    output.append(b"\xff\xfe")
    assert output.spill_path.read_bytes() == b"12345\xff\xfe"
    assert output.spill_path.parent == tmp_path
    if sys.platform != "win32":
        assert stat.S_IMODE(output.spill_path.stat().st_mode) == 0o600
    output.finish()
    assert output.spill_path.read_bytes() == b"12345\xff\xfe"


def test_two_outputs_never_share_a_file(tmp_path: Path) -> None:
    outputs = [OutputAccumulator(spill_over=0, spill_dir=tmp_path, policy=PLAIN) for _ in range(20)]
    for number, output in enumerate(outputs):
        output.append(b"%d" % number)
        output.finish()
    assert [output.spill_path and output.spill_path.read_bytes() for output in outputs] == [
        b"%d" % number for number in range(20)
    ]


def test_a_file_that_cannot_be_made_is_reported_and_the_text_survives(tmp_path: Path) -> None:
    output = OutputAccumulator(spill_over=3, spill_dir=tmp_path / "missing", policy=PLAIN)
    output.append(b"hello ")
    output.append(b"world")
    output.finish()
    assert output.spill_path is None
    assert output.spill_error is not None
    assert "missing" in output.spill_error
    assert output.retained().joined() == "hello world"


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_full_disk_is_reported_and_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    real_write = os.write
    writes = 0

    def write(descriptor: int, data: bytes) -> int:
        nonlocal writes
        writes += 1
        if writes >= fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real_write(descriptor, data)

    output = OutputAccumulator(spill_over=1, spill_dir=tmp_path, policy=PLAIN)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        for _ in range(4):
            output.append(b"abc")
    output.finish()
    assert output.spill_path is None
    assert output.spill_error is not None
    assert os.strerror(errno.ENOSPC) in output.spill_error
    assert os.listdir(tmp_path) == []
    assert output.retained().joined() == "abc" * 4


def test_short_writes_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_write = os.write
    output = OutputAccumulator(spill_over=1, spill_dir=tmp_path, policy=PLAIN)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda descriptor, data: real_write(descriptor, data[:3]))
        output.append(b"0123456789")
        output.append(b"abcdefghij")
    output.finish()
    assert output.spill_path is not None
    assert output.spill_path.read_bytes() == b"0123456789abcdefghij"


@pytest.mark.parametrize("size", [1 << 20, 1000])
def test_memory_stays_bounded_over_a_long_output(tmp_path: Path, size: int) -> None:
    block = (b"a line of output with some words\n" * (size // 33 + 1))[:size]
    total = 200 << 20 if size > 1 << 16 else 20 << 20
    output = OutputAccumulator(spill_dir=tmp_path, policy=PLAIN)
    tracemalloc.start()
    try:
        for _ in range(total // size):
            output.append(block)
        output.finish()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 << 20, f"{peak / 2**20:.1f} MiB"
    assert output.total_bytes == total // size * size
    assert output.spill_path is not None
    assert output.spill_path.stat().st_size == output.total_bytes
    assert output.retained().omitted == output.total_chars - 256 * 1024


def test_many_tiny_writes_cost_no_object_each() -> None:
    output = OutputAccumulator(spill_over=None, policy=PLAIN)
    tracemalloc.start()
    try:
        for _ in range(270_000):
            output.append(b"x")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 << 20, f"{peak / 2**20:.1f} MiB"
    assert output.retained().omitted == 270_000 - 256 * 1024
