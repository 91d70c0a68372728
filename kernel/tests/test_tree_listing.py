"""Names of session files and directories, and the sessions of a directory at a glance."""

import json
from pathlib import Path

import pytest
from pi_kernel.tree import SessionTree, directory_name, list_sessions, new_session_path, session_info
from pi_kernel.tree.errors import BadFields

GOLDEN = Path(__file__).with_name("tree_golden")


@pytest.mark.parametrize("cwd, name", json.loads((GOLDEN / "directories.json").read_text("utf-8")).items())
def test_directories_are_named_as_upstream_names_them(cwd: str, name: str) -> None:
    assert directory_name(cwd) == name


@pytest.mark.parametrize("session_id", ["", ".hidden", "a/b", "..", "a b", "x-", "C:x"])
def test_an_id_that_is_no_safe_file_name_is_refused(tmp_path: Path, session_id: str) -> None:
    with pytest.raises(BadFields, match="session id"):
        new_session_path(tmp_path, session_id)


def test_new_names_sort_by_age(tmp_path: Path) -> None:
    paths = [new_session_path(tmp_path) for _ in range(20)]
    ids = [path.stem.split("_")[1] for path in paths]
    assert [path.name[:23] for path in paths] == sorted(path.name[:23] for path in paths)
    assert [entry_id[:13] for entry_id in ids] == sorted(entry_id[:13] for entry_id in ids)
    assert len(set(ids)) == 20


def test_a_session_is_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    with SessionTree.create(path, "/project", parent_session="/old.jsonl") as tree:
        tree.append("model_change", {"provider": "local", "modelId": "small"})
        tree.append("message", {"message": {"role": "system", "content": "You help"}})
        blocks = [{"type": "image", "data": ""}, {"type": "text", "text": "first"}, {"type": "text", "text": "words"}]
        tree.append("message", {"message": {"role": "user", "content": blocks}})
        answer = tree.append("message", {"message": {"role": "assistant", "content": []}})
        tree.append("message", {"message": {"role": "toolResult", "content": "x"}})
        tree.rename("named")
    info = session_info(path)
    assert info is not None
    assert (info.path, info.id, info.cwd, info.parent_session) == (path, tree.header.id, "/project", "/old.jsonl")
    assert (info.name, info.first_text, info.entries, info.messages) == ("named", "first words", 6, 4)
    assert (info.created, info.modified) == (tree.header.timestamp, answer.timestamp)


def test_a_directory_is_listed_last_used_first(tmp_path: Path) -> None:
    for name, cwd, day in (("a", "/project", 2), ("b", "/project", 3), ("c", "/else", 1)):
        (tmp_path / f"{name}.jsonl").write_text(
            f'{{"type":"session","version":3,"id":"{name}","timestamp":"2025-01-0{day}T00:00:00.000Z","cwd":"{cwd}"}}\n',
            "utf-8",
        )
    (tmp_path / "notes.txt").write_text("no session", "utf-8")
    (tmp_path / "broken.jsonl").write_text("no session either", "utf-8")
    (tmp_path / "folder.jsonl").mkdir()
    assert [info.id for info in list_sessions(tmp_path)] == ["b", "a", "c"]
    assert [info.id for info in list_sessions(tmp_path, "/project")] == ["b", "a"]
    assert list_sessions(tmp_path / "none") == []


@pytest.mark.parametrize(
    "message", ["null", "7", "{}", '{"role":[]}', '{"role":"user"}', '{"role":"user","content":[7,{"type":"text"}]}']
)
def test_odd_messages_do_not_hide_a_session(tmp_path: Path, message: str) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(
        '{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/project"}\n'
        f'{{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{message}}}\n'
        '{"type":"message","id":"b","parentId":"a","timestamp":"u","message":{"role":"user","content":"found"}}\n'
        '{"type":"message","id":"c","parentId":"b","timestamp":"v","message":{"ro',
        "utf-8",
    )
    info = session_info(path)
    assert info is not None
    assert (info.first_text, info.messages, info.modified) == ("found", 2, "u")


def test_a_session_being_written_is_listed(tmp_path: Path) -> None:
    with SessionTree.create(new_session_path(tmp_path), "/project") as tree:
        tree.append("message", {"message": {"role": "user", "content": "now"}})
        assert [info.first_text for info in list_sessions(tmp_path)] == ["now"]
