"""From bytes to text: which encoding is assumed, what is no text at all, and what is only read but never written."""

import codecs
import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_files.decoding import SAMPLE, BinaryContent, NotUtf8, decode, decode_strictly, sniff

GERMAN = "Grüße aus Köln – schöne Straße"


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (b"", "", ""),
        (b"plain\r\n", "plain\r\n", ""),
        (GERMAN.encode(), GERMAN, ""),
        (codecs.BOM_UTF8 + GERMAN.encode(), GERMAN, ""),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), GERMAN, "decoded from UTF-16-LE"),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), GERMAN, "decoded from UTF-16-BE"),
        (codecs.BOM_UTF32_LE + GERMAN.encode("utf-32-le"), GERMAN, "decoded from UTF-32-LE"),
        (codecs.BOM_UTF32_BE + GERMAN.encode("utf-32-be"), GERMAN, "decoded from UTF-32-BE"),
        (GERMAN.encode("cp1252"), GERMAN, "not UTF-8; decoded as Windows-1252, which is a guess"),
        (b"caf\xe9", "café", "not UTF-8; decoded as Windows-1252, which is a guess"),
        (b"\x80 \x9d", "€ \ufffd", "not UTF-8; decoded as Windows-1252, which is a guess"),
        (
            "äöü".encode() * 5 + b"\xff",
            "äöü" * 5 + "\ufffd",
            "some bytes are not valid UTF-8 and are shown as \ufffd",
        ),
        (b"\x1b[31mred\x1b[0m\x08\x0c\n", "\x1b[31mred\x1b[0m\x08\x0c\n", ""),
    ],
)
def test_text_is_read(data: bytes, text: str, note: str) -> None:
    decoded = decode(data, "x")
    assert (decoded.text, decoded.encoding.note) == (text, note)


@pytest.mark.parametrize(
    "data",
    [
        b"a\0b",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
        gzip.compress(b"text"),
        b"PK\x03\x04rest",
        b"\x7fELF",
        zlib.compress(bytes(range(256)) * 20),
        b"text\0" + b"x" * SAMPLE,
        b"\x00\x01\x02\x03" * 100,
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(BinaryContent, match="x is binary"):
        decode(data, "x")


@pytest.mark.parametrize("data", [b"a\0b", gzip.compress(b"text"), zlib.compress(bytes(range(256)) * 20)])
def test_binary_data_is_not_written_either(data: bytes) -> None:
    with pytest.raises(BinaryContent, match="x is binary"):
        decode_strictly(data, "x")


def test_bad_bytes_behind_the_sample_count_as_well() -> None:
    text = "ä" * SAMPLE
    assert decode(text.encode() + b"\xff", "x").text == text + "\ufffd"
    assert decode(b"a" * SAMPLE + b"\xe9", "x").text == "a" * SAMPLE + "é"
    with pytest.raises(BinaryContent):
        decode(b"a" * SAMPLE + b"\0", "x")


@given(st.text())
def test_utf8_is_never_taken_for_anything_else(text: str) -> None:
    data = text.replace("\0", "").encode()
    for mark in (b"", codecs.BOM_UTF8):
        decoded = decode(mark + data, "x")
        if not data.startswith(codecs.BOM_UTF8):
            assert (decoded.text.encode(), decoded.encoding.mark) == (data, mark)


@given(st.text(min_size=1), st.integers(0, 40))
def test_a_sample_that_ends_inside_a_character_is_still_utf8(text: str, size: int) -> None:
    data = text.replace("\0", "").encode()
    found = sniff(data[:size], complete=False)
    assert found is not None and found.codec == "utf-8" and found.errors == "strict"


@given(st.binary())
def test_any_bytes_give_text_or_an_error(data: bytes) -> None:
    try:
        decode(data, "x").text.encode("utf-8", "surrogatepass")
    except BinaryContent as error:
        assert "x is binary" in str(error)


@given(st.text())
def test_what_is_read_strictly_can_be_written_back(text: str) -> None:
    data = codecs.BOM_UTF8 + text.replace("\0", "").encode()
    decoded = decode_strictly(data, "x")
    assert decoded.encoding.mark + decoded.text.encode() == data


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"caf\xe9 noir", "byte 3 is 0xe9"),
        (codecs.BOM_UTF8 + b"a\xff", "byte 4 is 0xff"),
        (codecs.BOM_UTF16_LE + "hallo".encode("utf-16-le"), "byte 0 is 0xff"),
    ],
)
def test_other_encodings_are_not_written(data: bytes, where: str) -> None:
    with pytest.raises(NotUtf8) as raised:
        decode_strictly(data, "x")
    assert where in str(raised.value) and "convert it first" in str(raised.value)
