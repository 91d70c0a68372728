"""A session grows as a tree of entries, and reopening finds it as it was left."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pi_kernel.tree import LEAF_MARKER, Entry, SessionTree, new_session_path
from pi_kernel.tree.errors import BadFields, SessionClosed, SessionExists, SessionReadOnly, UnknownEntry


def say(tree: SessionTree, text: str, role: str = "user") -> str:
    return tree.append("message", {"message": {"role": role, "content": text}}).id


def state(tree: SessionTree) -> dict[str, Any]:
    return {
        "header": tree.header,
        "entries": [(entry, entry.raw, entry.data) for entry in tree.entries()],
        "leaf": tree.leaf_id,
        "labels": dict(tree.labels),
        "name": tree.name,
        "children": {parent: tree.children(parent) for parent in [None, *(entry.id for entry in tree.entries())]},
        "diagnostics": tree.diagnostics,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "one.jsonl"


def test_the_file_appears_with_the_first_entry(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        assert not file.parent.exists()
        entry = tree.append("message", {"message": {"role": "user", "content": "hello"}})
        header, line = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    assert header == {
        "type": "session",
        "version": 3,
        "id": tree.header.id,
        "timestamp": header["timestamp"],
        "cwd": "/project",
    }
    assert line == {
        "type": "message",
        "id": entry.id,
        "parentId": None,
        "timestamp": entry.timestamp,
        "message": {"role": "user", "content": "hello"},
    }
    assert list(line) == ["type", "id", "parentId", "timestamp", "message"]
    assert re.fullmatch(r"[0-9a-f]{8}", entry.id)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.timestamp)


def test_a_session_without_entries_leaves_no_file(file: Path) -> None:
    SessionTree.create(file, "/project").close()
    assert not file.exists()


def test_entries_follow_the_leaf(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        first, second = say(tree, "1"), say(tree, "2")
        tree.branch(first)
        third = say(tree, "3")
        assert [entry.id for entry in tree.path()] == [first, third]
        assert [entry.id for entry in tree.path(second)] == [first, second]
        assert [entry.id for entry in tree.children(first) if entry.type == "message"] == [second, third]
        assert [entry.id for entry in tree.children(None)] == [first]
        assert second in tree
        assert "ffffffff0" not in tree
        assert len(tree) == 4


@pytest.mark.parametrize("target", [0, 1, None])
def test_a_moved_leaf_survives_reopening(file: Path, target: int | None) -> None:
    with SessionTree.create(file, "/project") as tree:
        ids = [say(tree, text) for text in "abc"]
        leaf = None if target is None else ids[target]
        tree.branch(leaf)
        before = state(tree)
    with SessionTree.open(file) as tree:
        assert state(tree) == before
        assert tree.leaf_id == leaf
        marker = tree.entries()[-1]
        assert (marker.type, marker.parent_id, marker.data) == ("custom", leaf, {"customType": LEAF_MARKER})
        assert tree.get(say(tree, "d")).parent_id == leaf


def test_moving_the_leaf_to_where_it_is_writes_nothing(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        tree.branch(None)
        assert not file.exists()
        tree.branch(say(tree, "a"))
        assert len(tree) == 1


def test_labels_stand_beside_the_conversation(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        first, second = say(tree, "1"), say(tree, "2")
        tree.label(first, "kept")
        tree.label(second, "dropped")
        tree.label(second, None)
        assert tree.leaf_id == second
        assert tree.labels == {first: "kept"}
        before = state(tree)
    with SessionTree.open(file) as tree:
        assert state(tree) == before


def test_the_latest_name_counts(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        assert tree.name is None
        tree.rename("  two\nlines ")
        assert tree.name == "two lines"
        tree.rename("other")
    with SessionTree.open(file) as tree:
        assert tree.name == "other"
        tree.rename("")
        assert tree.name is None


@pytest.mark.parametrize(
    "text", ["plain", 'quotes " and \\', "line\nbreaks\r\n\u2028", "Grüße 😀", "half \ud83d", "{" * 9, "}" * 9, "\0"]
)
def test_any_text_comes_back(file: Path, text: str) -> None:
    with SessionTree.create(file, "/project") as tree:
        tree.append("message", {"message": {"role": "user", "content": text}})
        say(tree, "next")
    with SessionTree.open(file) as tree:
        assert tree.entries()[0].data == {"message": {"role": "user", "content": text}}
        assert tree.diagnostics == ()


def test_a_payload_is_the_callers_to_change(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        entry = tree.append("custom", {"customType": "x", "data": {"count": 1}})
        entry.data["data"]["count"] = 2
        assert entry.data["data"] == {"count": 1}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"parentId": "x"}, "parentId"),
        ({"type": "x", "id": "y"}, "id.*type"),
        ({"number": float("nan")}, "JSON"),
        ({"thing": object()}, "JSON"),
    ],
)
def test_fields_that_cannot_be_stored_are_refused_and_leave_no_trace(
    file: Path, fields: dict[str, Any], reason: str
) -> None:
    with SessionTree.create(file, "/project") as tree:
        with pytest.raises(BadFields, match=reason):
            tree.append("custom", fields)
        with pytest.raises(BadFields, match="header"):
            tree.append("session", {})
        assert not file.exists()
        assert tree.leaf_id is None


def test_an_entry_over_the_line_limit_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_kernel.tree.tree.MAX_LINE", 200)
    with SessionTree.create(file, "/project") as tree, pytest.raises(BadFields, match="limit is 200"):
        say(tree, "x" * 200)


def test_ids_are_drawn_again_until_one_is_free(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draws = iter([b"\0\0\0\1", b"\0\0\0\1", b"\0\0\0\1", b"\0\0\0\2"])
    with SessionTree.create(file, "/project") as tree:
        monkeypatch.setattr("pi_kernel.tree.entry.os.urandom", lambda size: next(draws))
        assert [say(tree, "a"), say(tree, "b")] == ["00000001", "00000002"]


def test_unknown_entries_are_named(file: Path) -> None:
    with SessionTree.create(file, "/project") as tree:
        for call in (tree.get, tree.branch, tree.path, lambda name: tree.label(name, "x")):
            with pytest.raises(UnknownEntry, match="'nowhere'"):
                call("nowhere")
        assert not file.exists()


def test_a_new_session_never_lands_on_an_existing_file(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("precious", "utf-8")
    with SessionTree.create(file, "/project") as tree, pytest.raises(SessionExists):
        say(tree, "hello")
    assert file.read_text("utf-8") == "precious"


def test_a_session_in_memory_behaves_the_same(tmp_path: Path) -> None:
    with SessionTree.in_memory("/project") as tree:
        first, second = say(tree, "1"), say(tree, "2")
        tree.branch(first)
        tree.label(second, "other way")
        tree.rename("memory")
        assert [entry.data["message"]["content"] for entry in tree.path(second)] == ["1", "2"]
        assert (tree.file, tree.name, tree.labels) == (None, "memory", {second: "other way"})
        with tree.copy_all_to(tmp_path / "kept.jsonl") as kept:
            assert [entry.raw for entry in kept.entries()] == [entry.raw for entry in tree.entries()]
            assert kept.header.parent_session is None


def test_the_id_is_the_one_in_the_file_name(tmp_path: Path) -> None:
    path = new_session_path(tmp_path, "my-own.id")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_my-own\.id\.jsonl", path.name)
    assert SessionTree.create(path, "/project").header.id == "my-own.id"
    assert SessionTree.create(tmp_path / "notes_x.jsonl", "/project").header.id != "x"
    assert SessionTree.create(path, "/project", session_id="given").header.id == "given"


def test_a_closed_session_says_so(file: Path) -> None:
    tree = SessionTree.create(file, "/project")
    entry: Entry = tree.append("custom", {"customType": "x"})
    tree.close()
    tree.close()
    with pytest.raises(SessionReadOnly, match="already closed"):
        say(tree, "late")
    with pytest.raises(SessionClosed, match="Open it again"):
        assert entry.data
