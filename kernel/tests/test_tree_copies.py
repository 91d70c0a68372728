"""Forks and copies are sessions of their own that name where they come from."""

from pathlib import Path

import pytest
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import SessionExists


def say(tree: SessionTree, text: str) -> str:
    return tree.append("message", {"message": {"role": "user", "content": text}}).id


@pytest.fixture
def tree(tmp_path: Path) -> SessionTree:
    """`a - b - c` and `b - d`; labels on a, b (set on the other branch, then changed) and d."""
    tree = SessionTree.create(tmp_path / "source.jsonl", "/project")
    a, b = say(tree, "a"), say(tree, "b")
    tree.label(a, "on a")
    tree.label(b, "first on b")
    say(tree, "c")
    tree.branch(b)
    d = say(tree, "d")
    tree.label(d, "on d")
    tree.label(b, "then on b")
    return tree


def texts(tree: SessionTree) -> list[str]:
    return [entry.data["message"]["content"] for entry in tree.path()]


def test_a_fork_holds_the_path_and_its_labels(tree: SessionTree, tmp_path: Path) -> None:
    by_text = {entry.data["message"]["content"]: entry for entry in tree.entries() if entry.type == "message"}
    with tree, tree.fork_to(tmp_path / "fork.jsonl", by_text["c"].id) as fork:
        assert texts(fork) == ["a", "b", "c"]
        assert fork.labels == {by_text["a"].id: "on a", by_text["b"].id: "then on b"}
        assert fork.diagnostics == ()
        assert [entry.raw for entry in fork.path()] == [entry.raw for entry in tree.path(by_text["c"].id)]
        assert fork.header.parent_session == str(tree.file)
        assert fork.header.id != tree.header.id
        say(fork, "on")
    with SessionTree.open(tmp_path / "fork.jsonl") as fork:
        assert texts(fork) == ["a", "b", "c", "on"]
    assert texts(SessionTree.open(tmp_path / "source.jsonl", read_only=True)) == ["a", "b", "d"]


def test_a_fork_before_everything_is_an_empty_session(tree: SessionTree, tmp_path: Path) -> None:
    with tree, tree.fork_to(tmp_path / "fork.jsonl", None, cwd="/elsewhere") as fork:
        assert not (tmp_path / "fork.jsonl").exists()
        assert (list(fork.entries()), fork.leaf_id) == ([], None)
        assert (fork.header.parent_session, fork.header.cwd) == (str(tree.file), "/elsewhere")
        say(fork, "anew")
        assert texts(fork) == ["anew"]


def test_a_copy_holds_every_line_unchanged(tree: SessionTree, tmp_path: Path) -> None:
    with tree, tree.copy_all_to(tmp_path / "deep" / "copy.jsonl", cwd="/elsewhere") as copy:
        assert [entry.raw for entry in copy.entries()] == [entry.raw for entry in tree.entries()]
        assert (copy.leaf_id, copy.labels) == (tree.leaf_id, tree.labels)
        assert (copy.header.parent_session, copy.header.cwd) == (str(tree.file), "/elsewhere")


def test_copies_never_land_on_an_existing_file(tree: SessionTree, tmp_path: Path) -> None:
    taken = tmp_path / "taken.jsonl"
    taken.write_bytes(b"precious")
    with tree:
        with pytest.raises(SessionExists):
            tree.copy_all_to(taken)
        with pytest.raises(SessionExists):
            tree.fork_to(taken, tree.leaf_id)
    assert taken.read_bytes() == b"precious"


def interrupted(source: Path, target: Path) -> None:
    raise KeyboardInterrupt


def test_a_failed_copy_leaves_nothing_behind(
    tree: SessionTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("pi_kernel.tree.log.os.replace", interrupted)
    with tree, pytest.raises(KeyboardInterrupt):
        tree.copy_all_to(tmp_path / "copy.jsonl")
    assert sorted(tmp_path.iterdir()) == before


def test_a_copy_leaves_contradictions_out(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(
        '{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/project"}\n'
        '{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{"content":"a"}}\n'
        '{"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"content":"b"}}\n'
        '{"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"content":"other"}}\n',
        "utf-8",
    )
    with SessionTree.open(broken, read_only=True) as tree, tree.copy_all_to(tmp_path / "sound.jsonl") as sound:
        assert sound.diagnostics == ()
        assert texts(sound) == ["a", "b"]
        say(sound, "c")
