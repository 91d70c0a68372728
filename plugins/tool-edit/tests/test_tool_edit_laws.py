"""`edit` against a naive model on any text, and against GNU patch for what it reports."""

import shutil
import subprocess
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pi_tool_edit.changes import Change, apply, describe
from pi_tool_edit.editing import Edit, EditError, place_edits
from pi_tool_edit.fuzzy import Fuzzy, clusters, reduce
from pi_tool_edit.source import Source

PATCH = shutil.which("patch")
ALPHABET = "ab \t\n\r“\"’'–-é\u0301ﬃ…\u00a0\u1100\u1161"
TEXTS = st.text(ALPHABET, max_size=40)


def edited(original: str, edits: list[Edit]) -> str:
    source = Source(original)
    placed = place_edits(source, edits, "f")
    newline = source.newline
    return apply(
        original,
        [
            Change(source.to_original(one.start), source.to_original(one.end), one.new.replace("\n", newline))
            for one in placed
        ],
    )


@given(
    st.text("abc\n", max_size=30),
    st.lists(st.tuples(st.text("abc\n", min_size=1, max_size=6), st.text("xy", max_size=4)), min_size=1, max_size=3),
)
def test_plain_texts_are_edited_as_the_naive_model_does_it(text: str, pairs: list[tuple[str, str]]) -> None:
    try:
        result = edited(text, [Edit(old, new) for old, new in pairs])
    except EditError:
        result = None
    places = [[at for at in range(len(text)) if text.startswith(old, at)] for old, _ in pairs]
    spans = sorted(
        (where[0], where[0] + len(old), new) for where, (old, new) in zip(places, pairs, strict=True) if where
    )
    exact = all(len(where) == 1 for where in places)
    apart = all(before[1] <= after[0] for before, after in pairwise(spans))
    if not (exact and apart):
        assert result is None or not all(places)  # Blanks at line ends may still be found as variants.
        return
    model = text
    for start, end, new in reversed(spans):
        model = model[:start] + new + model[end:]
    assert result == model


@given(TEXTS, st.data())
def test_any_unique_piece_can_be_replaced_and_nothing_else_changes(text: str, data: st.DataObject) -> None:
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    # A CR and its LF are one line ending, so neither is replaced alone.
    assume(not any(text[at - 1 : at + 1] == "\r\n" for at in (start, end) if at))
    piece = text[start:end]
    as_shown = piece.replace("\r\n", "\n")
    assume(len([at for at in range(len(text)) if text.replace("\r\n", "\n").startswith(as_shown, at)]) == 1)
    assert edited(text, [Edit(as_shown, "<new>")]) == text[:start] + "<new>" + text[end:]


@given(TEXTS)
def test_positions_lead_back_to_the_original(text: str) -> None:
    source = Source(text)
    for position in range(len(source.lf) + 1):
        at = source.to_original(position)
        assert text[:at].replace("\r\n", "\n") == source.lf[:position]
        assert text[at:].replace("\r\n", "\n") == source.lf[position:]


@given(TEXTS)
def test_the_reduced_form_is_that_of_the_whole_text(text: str) -> None:
    assert Fuzzy(text).text == reduce(text)
    assert "".join(clusters(text)) == text


@settings(max_examples=30)
@given(st.text(max_size=30))
def test_any_characters_reduce_piece_by_piece(text: str) -> None:
    assert Fuzzy(text).text == reduce(text)


@given(TEXTS, TEXTS)
def test_what_is_found_as_a_variant_is_one(text: str, wanted: str) -> None:
    for start, end in Fuzzy(text).find(wanted):
        assert 0 <= start < end <= len(text)
        assert reduce(text[start:end]).rstrip() == reduce(wanted).rstrip()


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14)


@st.composite
def changed_texts(draw: st.DrawFn) -> tuple[str, list[Change]]:
    text = "\n".join(draw(LINES)) + draw(st.sampled_from(["", "\n"]))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    changes = [
        Change(start, end, draw(st.text("xa\n", max_size=5))) for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    changes = [change for change in changes if text[change.start : change.end] != change.new]
    assume(changes and apply(text, changes) != text)
    assume(all(before.end <= after.start for before, after in pairwise(changes)))
    return text, changes


@given(changed_texts())
def test_the_report_names_the_first_changed_line(case: tuple[str, list[Change]]) -> None:
    text, changes = case
    before, after = text.split("\n"), apply(text, changes).split("\n")
    reported = describe(text, changes, "f")["firstChangedLine"]
    assert before[: reported - 1] == after[: reported - 1]


@pytest.mark.skipif(PATCH is None, reason="GNU patch is not installed")
@settings(max_examples=60, deadline=None)
@given(case=changed_texts())
def test_gnu_patch_makes_the_new_file_of_the_old_one(
    case: tuple[str, list[Change]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text, changes = case
    folder = tmp_path_factory.mktemp("patch")
    (folder / "f").write_text(text, newline="")
    patch = describe(text, changes, "f")["patch"]
    done = subprocess.run(
        [str(PATCH), "-p1", "--force"], input=patch, cwd=folder, text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + patch
    result = folder / "f"
    assert (result.read_text() if result.exists() else "") == apply(text, changes)
