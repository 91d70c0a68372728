"""A session grows as a tree, and reopening finds it as it was left."""

from pathlib import Path

from pi_kernel.tree import SessionTree, list_sessions, new_session_path


def say(tree: SessionTree, text: str, role: str = "user") -> str:
    return tree.append("message", {"message": {"role": role, "content": text}}).id


def test_a_reopened_session_has_the_same_entries_and_leaf(tmp_path: Path) -> None:
    with SessionTree.create(new_session_path(tmp_path), "/work") as tree:
        assert list(tmp_path.iterdir()) == []
        first = say(tree, "hello")
        second = say(tree, "hi", "assistant")
        tree.label(second, "here")
        tree.branch(first)
        before = [(e.id, e.parent_id, e.data) for e in tree.entries()]
        assert tree.file is not None
    with SessionTree.open(tree.file) as again:
        assert [(e.id, e.parent_id, e.data) for e in again.entries()] == before
        assert again.leaf_id == first
        assert again.labels == {second: "here"}
        assert [e.id for e in again.path()] == [first]
    assert [info.first_text for info in list_sessions(tmp_path, "/work")] == ["hello"]
