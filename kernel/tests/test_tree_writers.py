"""One writer at a time, any number of readers, and no writing over what another program did."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pi_kernel.tree import SessionTree
from pi_kernel.tree.errors import SessionChanged, SessionLocked, SessionReadOnly

WORKER = Path(__file__).with_name("tree_worker.py")
DEADLINE = 60


def say(tree: SessionTree, text: str) -> str:
    return tree.append("message", {"message": {"role": "user", "content": text}}).id


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


@pytest.fixture
def tree(file: Path) -> Iterator[SessionTree]:
    with SessionTree.create(file, "/project") as tree:
        say(tree, "first")
        yield tree


def worker(path: Path, count: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, str(WORKER), str(path), str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_a_second_tree_in_this_process_is_refused(tree: SessionTree, file: Path) -> None:
    with pytest.raises(SessionLocked, match="Close it there, open it read-only here, or fork it"):
        SessionTree.open(file)
    assert say(tree, "unharmed") == tree.leaf_id
    tree.close()
    with SessionTree.open(file) as again:
        say(again, "mine now")


def test_another_process_is_refused(tree: SessionTree, file: Path) -> None:
    before = file.read_bytes()
    out, _ = worker(file, 1).communicate(timeout=DEADLINE)
    assert out.startswith(b"locked: ")
    assert file.read_bytes() == before


def test_a_lock_ends_with_its_process(file: Path) -> None:
    with worker(file, 1) as holder:
        assert holder.stdout is not None
        written = holder.stdout.readline().decode().strip()
        with pytest.raises(SessionLocked):
            SessionTree.open(file)
        holder.kill()
        holder.communicate(timeout=DEADLINE)
    with SessionTree.open(file) as tree:
        assert tree.leaf_id == written
        say(tree, "mine now")


def test_two_creators_of_one_file_do_not_meet(file: Path) -> None:
    with SessionTree.create(file, "/a") as one, SessionTree.create(file, "/b") as two:
        say(one, "first come")
        with pytest.raises(Exception, match="already exists"):
            say(two, "first served")
        say(one, "still here")
    assert b'"cwd":"/b"' not in file.read_bytes()


def test_readers_see_whole_entries_while_a_writer_appends(file: Path) -> None:
    seen: list[str] = []
    with worker(file, 300) as writer:
        assert writer.stdout is not None
        while len(seen) < 300:
            acknowledged = writer.stdout.readline().decode().strip()
            with SessionTree.open(file, read_only=True) as reader:
                ids = [entry.id for entry in reader.entries()]
                assert acknowledged in ids
                assert ids[: len(seen)] == seen
                assert all(set(reader.get(entry_id).data["message"]["content"]) == {"{", "}"} for entry_id in ids[-3:])
                seen = ids
        writer.communicate(timeout=DEADLINE)
    assert writer.returncode == 0


def test_a_reader_does_not_write(tree: SessionTree, file: Path) -> None:
    with SessionTree.open(file, read_only=True) as reader:
        assert reader.read_only
        for change in (lambda: say(reader, "x"), lambda: reader.branch(None), lambda: reader.rename("x")):
            with pytest.raises(SessionReadOnly, match="opened read-only"):
                change()
        assert reader.leaf_id == tree.leaf_id
    assert len(file.read_bytes().splitlines()) == 2


def grow(file: Path) -> None:
    with file.open("ab") as other:
        other.write(b'{"type":"message","id":"x","parentId":null,"timestamp":"t"}\n')


def shrink(file: Path) -> None:
    with file.open("r+b") as other:
        other.truncate(10)


def swap(file: Path) -> None:
    copy = file.with_suffix(".new")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)


@pytest.mark.parametrize(
    ("interference", "told"), [(grow, "bytes"), (shrink, "bytes"), (swap, "replaced"), (Path.unlink, "removed")]
)
def test_what_another_program_did_is_noticed_before_writing(
    tree: SessionTree, file: Path, interference: Callable[[Path], None], told: str
) -> None:
    try:
        interference(file)
    except PermissionError:  # Windows protects a file that is open from being replaced or removed
        assert sys.platform == "win32"
        say(tree, "unharmed")
        return
    left = file.read_bytes() if file.exists() else None
    for _ in range(2):
        with pytest.raises(SessionChanged, match=told):
            say(tree, "blind")
    assert (file.read_bytes() if file.exists() else None) == left


def test_a_session_changed_elsewhere_continues_after_reopening(tree: SessionTree, file: Path) -> None:
    grow(file)
    with pytest.raises(SessionChanged):
        say(tree, "blind")
    tree.close()
    with SessionTree.open(file) as again:
        assert again.leaf_id == "x"
        assert again.get(say(again, "after")).parent_id == "x"
