"""Upstream pi and this tree read each other's files and find the same tree, leaf, labels and name.

The golden files were written by upstream 0.73.1 and 1.6.0, each beside what upstream reads from it.
With PI_TEST_UPSTREAM (a node_modules directory that holds upstream) the installed versions are driven too.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pi_kernel.tree import LEAF_MARKER, SessionTree, directory_name, list_sessions, new_session_path

GOLDEN = Path(__file__).with_name("tree_golden")
DRIVER = Path(__file__).with_name("tree_upstream.mjs")
DEADLINE = 120
NAMES = ("upstream-0.73.1", "upstream-0.73.1-continued", "upstream-1.6.0", "upstream-1.6.0-continued")


@pytest.fixture(params=["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent"])
def upstream(request: pytest.FixtureRequest) -> Path:
    modules, node = os.environ.get("PI_TEST_UPSTREAM"), shutil.which("node")
    if not modules or not node:
        pytest.skip("needs node, and PI_TEST_UPSTREAM naming a node_modules directory with upstream pi")
    package = Path(modules, request.param)
    if not package.is_dir():
        pytest.skip(f"PI_TEST_UPSTREAM does not hold {request.param}")
    return package


def drive(package: Path, action: str, argument: object) -> Any:
    command = ["node", str(DRIVER), str(package), action, str(argument)]
    run = subprocess.run(command, capture_output=True, timeout=DEADLINE, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def as_upstream_shows_it(tree: SessionTree) -> dict[str, Any]:
    return {
        "labels": dict(tree.labels),
        "name": tree.name,
        "path": [entry.id for entry in tree.path()],
        "entries": [
            {"type": e.type, "id": e.id, "parentId": e.parent_id, "timestamp": e.timestamp, **e.data}
            for e in tree.entries()
        ],
    }


def without_bookkeeping(reading: dict[str, Any]) -> dict[str, Any]:
    """Upstream's leaf may stand on a label or leaf marker, and its lists repeat what a file repeats."""
    entries = list({entry["id"]: entry for entry in reading["entries"]}.values())
    beside = {e["id"] for e in entries if e["type"] == "label" or e.get("customType") == LEAF_MARKER}
    path = list(reading["path"])
    while path and path[-1] in beside:
        path.pop()
    return {"labels": reading["labels"], "name": reading["name"], "path": path, "entries": entries}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_by_upstream_is_read_as_upstream_reads_it(name: str) -> None:
    reading = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    with SessionTree.open(GOLDEN / f"{name}.jsonl", read_only=True) as tree:
        assert as_upstream_shows_it(tree) == without_bookkeeping(reading)
        assert (tree.header.id, tree.header.cwd) == (reading["header"]["id"], "/home/me/project")
        assert not any(note.contradiction for note in tree.diagnostics)


def test_the_doubled_beginning_that_upstream_0_73_writes_is_read_once() -> None:
    with SessionTree.open(GOLDEN / "upstream-0.73.1-continued.jsonl", read_only=True) as tree:
        texts = [entry.data["message"]["content"] for entry in tree.path()][:2]
        assert texts == ["begun in Python", "from upstream"]
        assert [note.what for note in tree.diagnostics] == [
            "another header: skipped",
            f"entry {tree.entries()[0].id} repeated: skipped",
        ]


@pytest.mark.parametrize("name", NAMES)
def test_a_copied_file_by_upstream_is_continued(tmp_path: Path, name: str) -> None:
    path = Path(shutil.copy(GOLDEN / f"{name}.jsonl", tmp_path / "session.jsonl"))
    before = path.read_bytes()
    with SessionTree.open(path) as tree:
        leaf = tree.leaf_id
        added = tree.append("message", {"message": {"role": "user", "content": "more"}})
        assert added.parent_id == leaf
    assert path.read_bytes() == before + added_line(path)


def added_line(path: Path) -> bytes:
    with SessionTree.open(path, read_only=True) as tree:
        return tree.get(tree.leaf_id or "").raw + b"\n"


def test_upstream_writes_and_we_read(upstream: Path, tmp_path: Path) -> None:
    reading = drive(upstream, "write", tmp_path)
    with SessionTree.open(reading["file"]) as tree:
        assert as_upstream_shows_it(tree) == without_bookkeeping(reading)
        assert tree.diagnostics == ()
        tree.append("message", {"message": {"role": "user", "content": "ours"}})
    with SessionTree.open(reading["file"], read_only=True) as tree:
        assert as_upstream_shows_it(tree) == without_bookkeeping(drive(upstream, "read", reading["file"]))


@pytest.mark.parametrize("target", ["first", "label", "root", "named"])
def test_we_write_and_upstream_reads_and_continues(upstream: Path, tmp_path: Path, target: str) -> None:
    path = new_session_path(tmp_path)
    with SessionTree.create(path, "/home/me/project") as tree:
        first = tree.append("message", {"message": {"role": "user", "content": "Grüße \ud83d 😀", "timestamp": 1}})
        tree.append("message", {"message": {"role": "assistant", "content": [], "timestamp": 2}})
        if target == "label":
            tree.label(first.id, "here")
        elif target == "named":
            tree.rename("Ours")
        else:
            tree.branch(first.id if target == "first" else None)
        ours, leaf = as_upstream_shows_it(tree), tree.leaf_id
    assert without_bookkeeping(drive(upstream, "read", path)) == ours
    continued = drive(upstream, "continue", path)
    with SessionTree.open(path) as tree:
        assert as_upstream_shows_it(tree) == without_bookkeeping(continued)
        said = [entry for entry in tree.path() if entry.type == "message"]
        assert said[-1].data["message"]["content"] == [{"type": "text", "text": "to the tree"}]
        assert (leaf in [entry.id for entry in tree.path()]) == (leaf is not None)


def test_a_fork_of_ours_is_read_by_upstream(upstream: Path, tmp_path: Path) -> None:
    with SessionTree.create(tmp_path / "one.jsonl", "/home/me/project") as tree:
        ids = [tree.append("message", {"message": {"role": "assistant", "content": []}}).id for _ in range(3)]
        tree.label(ids[0], "kept")
        with tree.fork_to(tmp_path / "two.jsonl", ids[1]) as fork:
            ours = as_upstream_shows_it(fork)
    reading = drive(upstream, "read", tmp_path / "two.jsonl")
    assert without_bookkeeping(reading) == ours
    assert reading["header"]["parentSession"] == str(tmp_path / "one.jsonl")


def test_both_list_a_directory_alike(upstream: Path, tmp_path: Path) -> None:
    drive(upstream, "write", tmp_path)
    with SessionTree.create(new_session_path(tmp_path), "/home/me/project") as tree:
        tree.append("message", {"message": {"role": "user", "content": "ours"}})
    theirs = drive(upstream, "list", tmp_path)
    listed = {info["id"]: (info.get("name"), info["messageCount"], info["firstMessage"]) for info in theirs}
    assert {i.id: (i.name, i.messages, i.first_text) for i in list_sessions(tmp_path)} == listed


def test_both_name_directories_alike(upstream: Path) -> None:
    cwds = ["/", "/home/me/a b", "/a-b/c", "/ünï/é", "/home/me/x.y_z"]
    theirs = [Path(directory).name for directory in drive(upstream, "directory", json.dumps(cwds))]
    shutil.rmtree(upstream / "no-agent")
    assert [directory_name(os.path.normpath(cwd)) for cwd in cwds] == theirs
