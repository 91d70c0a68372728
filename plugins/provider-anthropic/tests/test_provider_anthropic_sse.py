"""The decoder of server-sent events gives the same events whatever pieces the bytes come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_provider_anthropic import sse
from pi_provider_anthropic.sse import Decoder, LineTooLongError, ServerEvent

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "", "event: error", "data", "data:", "data: x", "data:  y", ": comment", "id: 1", "retry: 9"]
        ),
        st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), max_size=12),
    ),
    max_size=12,
)


def decoded(*chunks: bytes) -> list[ServerEvent]:
    decoder = Decoder()
    return [event for chunk in chunks for event in decoder.feed(chunk)]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"event: ping\ndata: {}\n\n", [("ping", "{}")]),
        (b"data: one\ndata: two\n\n", [("message", "one\ntwo")]),
        (b"data:one\n\ndata: two\n\n", [("message", "one"), ("message", "two")]),
        (b"data:  kept blank\n\n", [("message", " kept blank")]),
        (b"data\n\n", [("message", "")]),
        (b"event: ping\n\n", []),
        (b": comment\n\n", []),
        (b"data: never closed\n", []),
        (b"\xef\xbb\xbfdata: after a mark\n\n", [("message", "after a mark")]),
        (b"data: a\r\n\r\ndata: b\r\rdata: c\n\n", [("message", "a"), ("message", "b"), ("message", "c")]),
        (b"event: ping\r\ndata: a\r\ndata: b\r\n\r\n", [("ping", "a\nb")]),
        (b"id: 1\nretry: 5\nother: x\ndata: d\n\n", [("message", "d")]),
        ("data: 🌍\n\n".encode(), [("message", "🌍")]),
        (b"data: \xff\n\n", [("message", "\N{REPLACEMENT CHARACTER}")]),
    ],
)
def test_events_are_read_as_the_standard_says(stream: bytes, events: list[tuple[str, str]]) -> None:
    assert decoded(stream) == [ServerEvent(name, data) for name, data in events]
    for place in range(len(stream) + 1):
        assert decoded(stream[:place], stream[place:]) == decoded(stream)
    assert decoded(*(stream[at : at + 1] for at in range(len(stream)))) == decoded(stream)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_pieces_do_not_matter(lines: list[str], end: str, data: st.DataObject) -> None:
    stream = "".join(line + end for line in lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decoded(*pieces) == decoded(stream)


@given(LINES)
def test_line_ends_do_not_matter(lines: list[str]) -> None:
    streams = ["".join(line + end for line in lines).encode() for end in ("\n", "\r\n", "\r")]
    assert decoded(streams[0]) == decoded(streams[1]) == decoded(streams[2])


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_LINE", 100)
    with pytest.raises(LineTooLongError, match="100 bytes"):
        decoded(b"x" * 60, b"x" * 60)
