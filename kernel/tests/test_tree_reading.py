"""What is taken from files that are not as this writer leaves them; the cases are in tree_reading.toml."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import NotASession, SessionCorrupt, SessionMissing, SessionReadOnly

CASES = tomllib.loads(Path(__file__).with_name("tree_reading.toml").read_text("utf-8"))


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def content(case: dict[str, Any]) -> bytes:
    filler, count = case.get("repeat", ("", 0))
    return bytes((case["text"] + filler * count).encode("latin-1"))


def write(path: Path, case: dict[str, Any]) -> Path:
    path.write_bytes(content(case))
    return path


@named(CASES["accepted"])
def test_a_file_with_flaws_is_read_and_each_flaw_is_named(tmp_path: Path, case: dict[str, Any]) -> None:
    path = write(tmp_path / "session.jsonl", case)
    with SessionTree.open(path, read_only=True) as tree:
        assert [(entry.id, entry.parent_id or "") for entry in tree.entries()] == [tuple(pair) for pair in case["tree"]]
        assert [(note.line, note.what) for note in tree.diagnostics] == [tuple(note) for note in case["notes"]]
    assert path.read_bytes() == content(case)


@named(CASES["accepted"])
def test_appending_to_a_flawed_file_keeps_every_byte_or_is_refused(tmp_path: Path, case: dict[str, Any]) -> None:
    path = write(tmp_path / "session.jsonl", case)
    if case.get("contradiction"):
        with pytest.raises(SessionCorrupt, match="line"):
            SessionTree.open(path)
    elif case.get("refused"):
        with SessionTree.open(path) as tree, pytest.raises(SessionReadOnly, match=case["refused"]):
            tree.append("message", {"message": {}})
    else:
        with SessionTree.open(path) as tree:
            added = tree.append("message", {"message": {}}).id
        with SessionTree.open(path) as tree:
            assert [entry.id for entry in tree.entries()] == [*(pair[0] for pair in case["tree"]), added]
            assert tree.leaf_id == added
    assert path.read_bytes().startswith(content(case))


@named(CASES["refused"])
def test_a_file_that_is_no_session_is_neither_read_nor_written(tmp_path: Path, case: dict[str, Any]) -> None:
    path = write(tmp_path / "notes.txt", case)
    for read_only in (True, False):
        with pytest.raises(NotASession, match="left untouched"):
            SessionTree.open(path, read_only)
    assert path.read_bytes() == content(case)


def test_a_directory_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(NotASession, match="regular file"):
        SessionTree.open(tmp_path)


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(SessionMissing):
        SessionTree.open(tmp_path / "none.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_older_formats_get_their_new_names(tmp_path: Path) -> None:
    path = write(tmp_path / "one.jsonl", next(case for case in CASES["accepted"] if case["name"] == "version 1"))
    with SessionTree.open(path) as tree:
        question, extension, compaction, _ = (entry.data for entry in tree.entries())
        assert extension["message"] == {"role": "custom", "content": "note"}
        assert compaction == {"summary": "s", "firstKeptEntryId": "00000002", "tokensBefore": 1}
        assert question == {"message": {"role": "user", "content": "hi"}}
        with tree.copy_all_to(tmp_path / "three.jsonl") as copy:
            assert copy.header.version == 3
            assert [entry.data for entry in copy.entries()] == [entry.data for entry in tree.entries()]
            copy.append("message", {"message": {}})


def test_unknown_fields_and_spelling_are_kept(tmp_path: Path) -> None:
    lines = [
        b'{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/project","future":{"x":1}}',
        b'{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user"},"future":[1.0]}',
        b' { "timestamp": "t", "extra": 1e3, "parentId": "a", "id": "b", "type": "invented" } ',
        b'{"type":"message","id":"c","parentId":"b","timestamp":"t","message":"\xff"}',
    ]
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    with SessionTree.open(path) as tree:
        assert [tree.header.line, *(entry.raw for entry in tree.entries())] == lines
        assert tree.get("b").data == {"extra": 1000.0}
        assert tree.get("c").data == {"message": "\ufffd"}


def test_an_oversized_line_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_kernel.tree.log.MAX_LINE", 300)
    monkeypatch.setattr("pi_kernel.tree.index.MAX_LINE", 300)
    path = tmp_path / "session.jsonl"
    with SessionTree.create(path, "/project") as tree:
        before = tree.append("message", {"message": "small"}).id
        tree.append("message", {"message": "x" * 3_000_000})
        after = tree.append("message", {"message": "small"}).id
    with SessionTree.open(path) as tree:
        assert [entry.id for entry in tree.entries()] == [before, after]
        assert [note.what for note in tree.diagnostics] == [
            "over 300 bytes: skipped",
            f"parent {tree.diagnostics[1].what.split()[1]} is missing: taken as a root",
        ]
