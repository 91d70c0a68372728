"""Nothing acknowledged is lost when a writer dies, and nothing torn is glued to what comes next."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pi_kernel.tree import SessionTree

WORKER = Path(__file__).with_name("tree_worker.py")
KILLS = int(os.environ.get("PI_TEST_KILLS", "30"))
ENTRY = {"message": {"role": "user", "content": '}{ \\"é😀{}} \\ "} {'}}
DEADLINE = 60


@pytest.mark.parametrize("run", range(KILLS))
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path, run: int) -> None:
    chance = random.Random(run)
    path = tmp_path / "session.jsonl"
    acknowledged: list[str] = []
    for _ in range(1 + run % 2):  # every other run continues a file that a killed writer left
        acknowledged += killed_writer(path, chance.randrange(1, 60), chance.random() * 0.01)
    with SessionTree.open(path) as tree:
        ids = [entry.id for entry in tree.entries()]
        assert set(acknowledged) <= set(ids)
        assert [entry.id for entry in tree.path()] == ids
        assert all(entry.data["message"]["content"].startswith("}{") for entry in tree.entries())
        last = tree.append("message", ENTRY).id
    with SessionTree.open(path) as tree:
        assert [entry.id for entry in tree.path()] == [*ids, last]


def killed_writer(path: Path, after: int, pause: float) -> list[str]:
    """Runs a writer until it acknowledged some entries, kills it a moment later; returns all it acknowledged."""
    command = [sys.executable, str(WORKER), str(path), "1000000"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        lines = [worker.stdout.readline() for _ in range(after)]
        until = time.perf_counter() + pause
        while time.perf_counter() < until:
            pass
        worker.kill()
        rest = worker.stdout.read()
        worker.wait(timeout=DEADLINE)
    assert worker.returncode != 0
    return [line.decode().strip() for line in [*lines, *rest.splitlines(keepends=True)] if line.endswith(b"\n")]


def test_a_last_line_torn_anywhere_is_passed_over(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    with SessionTree.create(whole, "/project") as tree:
        kept = [tree.append("message", ENTRY).id, tree.append("custom", {"customType": "x", **ENTRY}).id]
        end = whole.stat().st_size
        lost = tree.append("message", ENTRY).id
    content = whole.read_bytes()
    for cut in range(end, len(content)):
        torn.write_bytes(content[:cut])
        expected = [*kept, lost] if cut == len(content) - 1 else kept
        with SessionTree.open(torn, read_only=True) as tree:
            assert [entry.id for entry in tree.entries()] == expected, cut
            assert len(tree.diagnostics) == (end < cut < len(content) - 1)
        assert torn.read_bytes() == content[:cut]
        with SessionTree.open(torn) as tree:
            added = tree.append("message", ENTRY)
            assert added.parent_id == expected[-1]
        assert torn.read_bytes().startswith(content[:cut])
        with SessionTree.open(torn) as tree:
            assert [entry.id for entry in tree.path()] == [*expected, added.id], cut
            assert [entry.data for entry in tree.path() if entry.type == "message"][-1] == ENTRY


def test_a_torn_line_that_another_program_ended_is_passed_over(tmp_path: Path) -> None:
    """Upstream ends a torn line with a bare newline; older versions wrote their next entry right behind it."""
    path = tmp_path / "session.jsonl"
    with SessionTree.create(path, "/project") as tree:
        first = tree.append("message", {"message": {"role": "user", "content": [{"type": "text", "text": "a"}]}})
        second = tree.append("message", {"message": {"role": "user", "content": [{"type": "text", "text": "b"}]}})
        start = path.stat().st_size - second.length - 1
    content = path.read_bytes()
    for cut in range(start + 1, len(content) - 1):
        for end in (b"\n", b'{"type":"message","id":"x","parentId":null,"timestamp":"t","message":{}}\n'):
            path.write_bytes(content[:cut] + end)
            with SessionTree.open(path) as tree:
                assert [entry.id for entry in tree.entries()] == [first.id], (cut, end)
                assert len(tree.diagnostics) == 1
