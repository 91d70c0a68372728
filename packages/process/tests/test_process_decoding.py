"""Bytes to text: UTF-8 first, code page next, UTF-16 recognised; however the bytes are cut, and without an error."""

from __future__ import annotations

import tomllib
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_process import DecodePolicy, StreamDecoder, system_policy
from pi_process.recovery import is_latin, single_byte_table

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["case"]
POLICIES = {
    "": DecodePolicy(),
    **{page: DecodePolicy(page, utf16=True) for page in ("windows-1252", "cp850", "cp866", "gbk", "cp932")},
}
LEGACY = POLICIES["windows-1252"]


def decode(policy: DecodePolicy, *chunks: bytes) -> str:
    decoder = StreamDecoder(policy)
    return "".join(map(decoder.feed, chunks)) + decoder.finish()


def pieces(data: bytes, cuts: tuple[int, ...]) -> list[bytes]:
    ends = [0, *sorted(cuts), len(data)]
    return [data[begin:end] for begin, end in pairwise(ends)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_samples_in_one_piece_and_in_every_two_and_three(case: dict[str, str]) -> None:
    data, policy = bytes.fromhex(case["bytes"]), POLICIES[case["policy"]]
    assert decode(policy, data) == case["text"]
    for count in (1, 2):
        for cuts in combinations(range(len(data) + 1), count):
            assert decode(policy, *pieces(data, cuts)) == case["text"], f"cut at {cuts}"
    assert decode(policy, *(bytes((byte,)) for byte in data)) == case["text"]


samples = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=30).map(lambda text: text.encode("utf-16-le", "surrogatepass")),
    st.text(max_size=30).map(lambda text: text.encode("utf-16-be", "surrogatepass")),
    st.text(alphabet="abc é漢字\r\n\0", max_size=40).map(lambda text: text.encode("utf-16-le")),
    st.text(alphabet="abc 配置测试\n", max_size=30).map(lambda text: text.encode("gbk")),
    st.text(alphabet="naïve “é”\n", max_size=40).map(lambda text: text.encode("cp1252")),
)


@pytest.mark.parametrize("name", POLICIES)
@given(parts=st.lists(samples, max_size=4), cuts=st.lists(st.integers(0, 300), max_size=8))
def test_any_bytes_decode_the_same_however_they_are_cut(name: str, parts: list[bytes], cuts: list[int]) -> None:
    data, policy = b"".join(parts), POLICIES[name]
    whole = decode(policy, data)
    assert decode(policy, *pieces(data, tuple(min(cut, len(data)) for cut in cuts))) == whole
    assert decode(policy, *(bytes((byte,)) for byte in data)) == whole


@given(st.text(max_size=200))
@pytest.mark.parametrize("name", ["", "windows-1252"])
def test_text_in_utf8_comes_back_unchanged(name: str, text: str) -> None:
    # Zero bytes may pass for UTF-16 where that is recognised; a mark at the start is dropped by design.
    text = text.replace("\0", "").removeprefix("\ufeff")
    text = text.encode("utf-8", "ignore").decode()
    assert decode(POLICIES[name], text.encode()) == text


@given(st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0xFFFD, exclude_categories=["Cs"]), min_size=1))
def test_utf16_text_with_a_latin_beginning_comes_back_unchanged(text: str) -> None:
    text = f"ab{text}\n"
    assert decode(LEGACY, text.encode("utf-16-le")) == text


@pytest.mark.parametrize("prompt", ["> ", "ok", "Continue? [y/n] ", "é: ", "è più", "Weiter? (ä)"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_prompt_shows_before_the_stream_ends(prompt: str, encoding: str) -> None:
    decoder = StreamDecoder(LEGACY)
    shown = decoder.feed(prompt.encode(encoding))
    assert prompt.startswith(shown)
    assert len(prompt) - len(shown) <= 1


def test_a_decoder_starts_over_after_its_end() -> None:
    decoder = StreamDecoder(LEGACY)
    assert decoder.feed(b"a\0b\0") + decoder.finish() == "ab"
    assert decoder.feed("é".encode()) + decoder.finish() == "é"
    assert decoder.feed(b"\xef\xbb\xbfx") + decoder.finish() == "x"


@pytest.mark.parametrize(
    ("platform", "page", "policy"),
    [
        ("linux", None, DecodePolicy()),
        ("darwin", "gbk", DecodePolicy()),
        ("win32", "gbk", DecodePolicy("gbk", utf16=True)),
        ("win32", "utf-8", DecodePolicy("windows-1252", utf16=True)),
        ("win32", "cp65001", DecodePolicy("windows-1252", utf16=True)),
    ],
)
def test_the_policy_follows_the_system(platform: str, page: str | None, policy: DecodePolicy) -> None:
    assert system_policy(platform, page) == policy


def test_an_unknown_code_page_is_named() -> None:
    with pytest.raises(ValueError, match=r"cp99999.*use a name"):
        DecodePolicy("cp99999")


@pytest.mark.parametrize("page", ["windows-1252", "cp437", "cp850", "cp866", "cp1251", "iso8859-15"])
def test_single_byte_pages_have_a_character_for_every_byte(page: str) -> None:
    table = single_byte_table(page)
    assert table is not None
    for byte in range(256):
        assert table[byte] == bytes((byte,)).decode(page, "ignore") or table[byte] == chr(byte)


@pytest.mark.parametrize("page", ["gbk", "gb18030", "cp932", "cp949", "big5"])
def test_east_asian_pages_are_known_to_have_longer_characters(page: str) -> None:
    assert single_byte_table(page) is None


LATIN = ["cp437", "cp850", "cp852", "cp858", "cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859-1"]
OTHER = ["cp737", "cp864", "cp866", "cp874", "cp1251", "cp1253", "cp1255", "cp1256", "koi8-r", "gbk", "cp932"]


@pytest.mark.parametrize(("page", "latin"), [*((page, True) for page in LATIN), *((page, False) for page in OTHER)])
def test_latin_pages_are_told_from_those_of_other_scripts(page: str, latin: bool) -> None:
    assert is_latin(page) is latin
